import { OutboundError } from '../../platform/index.ts';
import type { WaitCode } from '../receipts/tables.ts';

/** The ways in which a request to vBase's service can fail. */
const VBASE_FAULTS = {
  unreachable: "vBase's service cannot be reached. Nothing was sent.",
  unclear: "It is not known whether vBase's service accepted the request.",
  busy: "vBase's service accepts no more requests for now.",
  unauthorized: "vBase's service refused the key. Check ALMANAC_VBASE_KEY.",
  unpaid: "vBase's service requires a payment. Check the plan of the account at vBase.",
  refused: "vBase's service refused the request. Check ALMANAC_VBASE_URL and ALMANAC_VBASE_COLLECTION.",
  other_set:
    "The id that vBase's service has for the collection is not the SHA3-256 of its name. Set ALMANAC_VBASE_COLLECTION to another name.",
} as const;
export type VbaseFault = keyof typeof VBASE_FAULTS;

/** The wait code of proofs that are not stamped because of a fault. */
export const WAIT_CODES: Readonly<Record<VbaseFault, WaitCode>> = {
  unreachable: 'STAMPER_UNREACHABLE',
  unclear: 'STAMPER_UNREACHABLE',
  // The service works, but does not accept our requests; the proofs wait as if it could not be reached.
  busy: 'STAMPER_UNREACHABLE',
  unauthorized: 'STAMPER_REJECTED',
  unpaid: 'OUT_OF_FUNDS',
  refused: 'STAMPER_REJECTED',
  other_set: 'STAMPER_REJECTED',
};

/** The failure of a request to vBase's service. It contains neither the key nor the address nor any part of a reply. */
export class VbaseError extends Error {
  override readonly name = 'VbaseError';
  readonly fault: VbaseFault;
  /** Why it failed, such as `HTTP 503` or `ECONNREFUSED`. */
  readonly reason: string;
  /** The milliseconds to wait before the next request, according to the service. */
  readonly retryAfterMs: number | null;

  constructor(fault: VbaseFault, reason: string, retryAfterMs: number | null = null) {
    super(VBASE_FAULTS[fault]);
    this.fault = fault;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The codes of connections that were never opened, so that the service cannot have received the request. */
const NEVER_CONNECTED = /^(ENOTFOUND|EAI_[A-Z]+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/;

/** Converts the error of a request. Errors that are not about the service are returned as they are. */
export function toVbaseError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const isUnsent = error.kind === 'not_public' || NEVER_CONNECTED.test(error.code ?? '');
  return new VbaseError(isUnsent ? 'unreachable' : 'unclear', error.code ?? error.kind);
}

/** Returns the error for a status other than success. */
export function errorOfStatus(status: number, retryAfterMs: number | null): VbaseError {
  return new VbaseError(faultOfStatus(status), `HTTP ${status}`, retryAfterMs);
}

function faultOfStatus(status: number): VbaseFault {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'unpaid';
  if (status === 429) return 'busy';
  // A proxy that gave up with 408 may have passed the request on.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unclear';
}
