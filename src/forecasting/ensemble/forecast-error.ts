export type ForecastErrorCode =
  | 'INVALID_REQUEST'
  | 'UNSUPPORTED_QUANTILE'
  | 'INSUFFICIENT_HISTORY'
  | 'CHECKPOINT_UNAVAILABLE'
  | 'ALL_MODELS_FAILED';

/** Why there is no forecast. */
export class ForecastError extends Error {
  override readonly name = 'ForecastError';
  readonly code: ForecastErrorCode;
  /** The part of the request at fault, where one is. */
  readonly field: string | null;

  constructor(code: ForecastErrorCode, message: string, field: string | null = null) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
