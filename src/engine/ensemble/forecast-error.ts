export type ForecastErrorCode =
  | 'INVALID_REQUEST'
  | 'UNSUPPORTED_QUANTILE'
  | 'INSUFFICIENT_HISTORY'
  | 'CHECKPOINT_UNAVAILABLE'
  | 'ALL_MODELS_FAILED';

/** Why there is no forecast. The message is for whoever asked; `cause` may hold what only the log should have. */
export class ForecastError extends Error {
  override readonly name = 'ForecastError';
  readonly code: ForecastErrorCode;
  /** The part of the request at fault, where one is. */
  readonly field: string | null;

  constructor(code: ForecastErrorCode, message: string, field: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.field = field;
  }
}
