/** Every way in which a provider can fail, with the predicate of the sentence that callers see. */
export const PROVIDER_FAULTS = {
  NOT_FOUND: 'has no such series',
  UNAUTHORIZED: 'rejected the credential of this service',
  FORBIDDEN: 'does not include this data in the plan of this service',
  REJECTED: 'rejected the request',
  RATE_LIMITED: 'received too many requests',
  UNAVAILABLE: 'is unavailable',
  UNREACHABLE: 'cannot be reached',
  TIMEOUT: 'did not respond in time',
  TRUNCATED: 'ended a reply early',
  TOO_LARGE: 'sent a reply that is too large',
  MALFORMED: 'sent an invalid reply',
  PAGE_LOOP: 'sent pages that do not advance',
  CIRCUIT_OPEN: 'failed repeatedly and gets no requests for a while',
} as const;
export type ProviderFault = keyof typeof PROVIDER_FAULTS;

/** Faults that the request caused. A provider that replies with one of them works. */
const CAUSED_BY_REQUEST: readonly ProviderFault[] = ['NOT_FOUND', 'FORBIDDEN', 'REJECTED'];

/** Returns whether a fault is the request's and not a failure of the provider. */
export function isCausedByRequest(fault: ProviderFault): boolean {
  return CAUSED_BY_REQUEST.includes(fault);
}

/** The reply that made a request fail. */
export interface FailedReply {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** The length of the beginning of a reply in which `replyIncludes` searches. */
const MAX_REPLY_BYTES = 4 * 1024;

/** The failure of a provider. Callers see its id and the predicate, but not the reply itself. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly fault: ProviderFault;
  /** The HTTP status of the reply, if there was one. */
  readonly status: number | undefined;
  /** A private field, because a reply may repeat a key and logs print every other field. */
  readonly #reply: string;

  constructor(provider: string, fault: ProviderFault, detail?: string, reply?: FailedReply) {
    super(`${provider} ${PROVIDER_FAULTS[fault]}${detail === undefined ? '' : ` (${detail})`}.`);
    this.provider = provider;
    this.fault = fault;
    this.status = reply?.status;
    this.#reply = reply === undefined ? '' : new TextDecoder().decode(reply.bytes.subarray(0, MAX_REPLY_BYTES));
  }

  /**
   * Returns whether the first 4 KiB of the reply contain a text. An adapter can thus distinguish replies with the same
   * status.
   */
  replyIncludes(text: string): boolean {
    return this.#reply.includes(text);
  }
}
