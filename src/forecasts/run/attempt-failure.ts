import { ForecastError } from '../../engine/index.ts';
import type { Log } from '../../platform/index.ts';
import type { ForecastAttempt } from '../forecast-state.ts';
import type { ForecastFailure } from '../tables.ts';

/** Returns the failure to store for an error that ends the forecast; null if another attempt may succeed. */
export function toFailure(error: unknown): ForecastFailure | null {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { code: 'TIMED_OUT', message: 'The forecast exceeded its time limit.', retryable: true };
  }
  if (!(error instanceof ForecastError)) return null;
  return { code: error.code, message: error.message, retryable: false };
}

/** Logs a failure with details that are for the operator and not for the caller. */
export function logFailure(log: Log, { id }: ForecastAttempt, { code }: ForecastFailure, error: unknown): void {
  const detail = error instanceof Error ? error.cause : undefined;
  // A warning, because the operator has to repair the checkpoint.
  const level = code === 'CHECKPOINT_UNAVAILABLE' ? 'warn' : 'info';
  log[level]({ forecast: id, code, detail }, 'forecast failed');
}
