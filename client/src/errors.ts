import type { EnsembleForecast, Error as ErrorReply } from './generated/types.ts';

/** The codes of errors that the service returns. A newer service can return others. */
export type ErrorCode = ErrorReply['error']['code'];

/** What is known about a failed call. */
export interface ErrorDetails {
  /** The id of the operation, such as `createForecast`. */
  readonly operation: string;
  /** The HTTP status; null if there was no reply. */
  readonly status?: number | undefined;
  /** The code of the service; null if the reply has none. */
  readonly code?: string | undefined;
  /** The id under which the log of the service has the request. */
  readonly requestId?: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call, except an abort by the caller, which throws the reason of the signal. */
export class AlmanacError extends Error {
  override readonly name: string = 'AlmanacError';
  readonly operation: string;
  readonly status: number | null;
  /** A code of `ErrorCode`, or null if the service did not reply with one. */
  readonly code: ErrorCode | (string & {}) | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  /** How often the request was sent. */
  attempts = 1;
  /** The forecast that `forecasts.run` created before the failure; otherwise null. */
  forecastId: string | null = null;

  constructor(message: string, { operation, status, code, requestId, retryAfterMs, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.status = status ?? null;
    this.code = code ?? null;
    this.requestId = requestId ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

/** The service could not be reached, or the connection ended before the whole reply was there. */
export class ConnectionError extends AlmanacError {
  override readonly name: string = 'ConnectionError';
}

/** An attempt took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** The reply is not one of Almanac, for example a page of a proxy or a redirect. */
export class UnexpectedReplyError extends AlmanacError {
  override readonly name: string = 'UnexpectedReplyError';
}

/** The service refuses the request as malformed or impossible (400, 405, 413, 415, 422). */
export class InvalidRequestError extends AlmanacError {
  override readonly name: string = 'InvalidRequestError';
}

/** The credential is missing, expired or revoked (401). */
export class UnauthenticatedError extends AlmanacError {
  override readonly name: string = 'UnauthenticatedError';
}

/** The caller may not do this (403). */
export class DeniedError extends AlmanacError {
  override readonly name: string = 'DeniedError';
}

/** The object does not exist, or the caller may not see it (404). */
export class NotFoundError extends AlmanacError {
  override readonly name: string = 'NotFoundError';
}

/** The request conflicts with the state of the object, or the object has changed (409, 412). */
export class ConflictError extends AlmanacError {
  override readonly name: string = 'ConflictError';
}

/** There were too many requests, or the plan has too few credits or slots left (429). */
export class LimitedError extends AlmanacError {
  override readonly name: string = 'LimitedError';
}

/** The service failed or cannot respond now (408, 5xx). */
export class ServiceError extends AlmanacError {
  override readonly name: string = 'ServiceError';
}

/** A forecast that `forecasts.run` created has failed or was canceled. */
export class ForecastFailedError extends AlmanacError {
  override readonly name: string = 'ForecastFailedError';
  /** The forecast, whose field `error` has the reason. */
  readonly forecast: EnsembleForecast;

  constructor(forecast: EnsembleForecast) {
    const { code, message } = forecast.error ?? { code: undefined, message: 'The forecast failed.' };
    super(message, { operation: 'readForecast', code });
    this.forecast = forecast;
  }
}

const BY_STATUS: Readonly<Record<number, new (message: string, details: ErrorDetails) => AlmanacError>> = {
  400: InvalidRequestError,
  401: UnauthenticatedError,
  403: DeniedError,
  404: NotFoundError,
  405: InvalidRequestError,
  408: ServiceError,
  409: ConflictError,
  412: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: LimitedError,
};

/** Returns the error for a reply of the service. */
export function errorForStatus(message: string, details: ErrorDetails & { readonly status: number }): AlmanacError {
  const { status } = details;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServiceError : AlmanacError);
  return new Kind(message, details);
}
