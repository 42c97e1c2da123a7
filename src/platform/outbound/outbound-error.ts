/** Every way in which asking another machine can fail. */
export const OUTBOUND_FAULTS = {
  timeout: 'The reply took too long.',
  unreachable: 'The address cannot be reached.',
  truncated: 'The reply broke off.',
  too_large: 'The reply is larger than allowed.',
  malformed: 'The reply is not what was asked for: a redirect, broken HTTP or no UTF-8.',
  encoded: 'The reply is marked as compressed, which was not asked for.',
  aborted: 'The request was given up.',
} as const;
export type OutboundFault = keyof typeof OUTBOUND_FAULTS;

/** A request to another machine failed. Says neither the address nor the reply: both may hold secrets. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundFault;
  /** What the system called it, where it said: ECONNREFUSED, CERT_HAS_EXPIRED. */
  readonly code: string | undefined;

  constructor(kind: OutboundFault, code?: string) {
    super(code === undefined ? OUTBOUND_FAULTS[kind] : `${OUTBOUND_FAULTS[kind]} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}
