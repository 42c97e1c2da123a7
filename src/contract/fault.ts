import { ERROR_CATALOGUE, type ErrorCode } from './error-codes.ts';

export interface FaultDetails {
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
  /** The scope that was missing, for the WWW-Authenticate header. */
  readonly missingScope?: string;
  /** Of HTTP, where it has one for what is wrong with the request itself; otherwise that of the code. */
  readonly status?: number;
}

/**
 * An error that a caller is meant to see: its code is in the catalogue, its message says what to do.
 * Anything else that is thrown is a fault of ours and becomes a plain 500.
 *
 * @example throw new Fault('NOT_FOUND', 'No API key with this id.');
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

  /** Of HTTP. */
  get status(): number {
    return this.details.status ?? ERROR_CATALOGUE[this.code].status;
  }
}
