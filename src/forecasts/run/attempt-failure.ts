import { ForecastError } from '../../engine/index.ts';
import type { Log } from '../../platform/index.ts';
import type { ForecastAttempt } from '../forecast-state.ts';
import type { ForecastFailure } from '../tables.ts';

/** Returns the failure of an error that ends the forecast; null: another attempt may overcome the error. */
export function toFailure(error: unknown): ForecastFailure | null {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { code: 'TIMED_OUT', message: 'The forecast exceeded its time limit.', retryable: true };
  }
  if (!(error instanceof ForecastError)) return null;
  return { code: error.code, message: error.message, retryable: false };
}

/** Logs a failure with the details that are meant for the operator and not for the caller. */
export function logFailure(log: Log, { id }: ForecastAttempt, { code }: ForecastFailure, error: unknown): void {
  const detail = error instanceof Error ? error.cause : undefined;
  // The operator has to repair a checkpoint.
  const level = code === 'CHECKPOINT_UNAVAILABLE' ? 'warn' : 'info';
  log[level]({ forecast: id, code, detail }, 'forecast failed');
}
