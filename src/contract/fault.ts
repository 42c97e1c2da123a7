import { ERROR_CATALOG, type ErrorCode } from './error-catalog.ts';

export interface FaultDetails {
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
  /** The scope that was missing, for the WWW-Authenticate header. */
  readonly missingScope?: string;
  /** A more specific HTTP status than that of the code, such as 408. */
  readonly status?: number;
  /** The line of a file that the message names, shortened, for pages that show it. */
  readonly excerpt?: string;
}

/**
 * An error that a caller is meant to see. Its code is in the catalog, and its message names the problem and usually the
 * remedy. Most other errors become a 500 without details. The functions in each room's `faults.ts` create faults.
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

  /** The HTTP status of the response. */
  get status(): number {
    return this.details.status ?? ERROR_CATALOG[this.code].status;
  }
}
