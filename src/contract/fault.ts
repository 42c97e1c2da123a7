import { ERROR_CATALOG, type ErrorCode } from './error-catalog.ts';

export interface FaultDetails {
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
  /** The scope that was missing, for the WWW-Authenticate header. */
  readonly missingScope?: string;
  /** The HTTP status, where HTTP has a more specific one than the code's own, such as 408. */
  readonly status?: number;
}

/**
 * An error that a caller is meant to see: its code is in the catalog, and its message names the problem and the remedy.
 * Any other error becomes a plain 500. Faults are created by the functions in the `faults.ts` of each room.
 *
 * @example throw forecastNotFound();
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: ErrorCode;
  readonly details: FaultDetails;

  constructor(code: ErrorCode, message: string, details: FaultDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** The HTTP status. */
  get status(): number {
    return this.details.status ?? ERROR_CATALOG[this.code].status;
  }
}
