import { ForecastError } from '../../engine/index.ts';
import type { Log } from '../../platform/index.ts';
import type { ForecastFailure } from '../tables.ts';
import type { TakenForecast } from './take-forecast.ts';

/** What the engine refuses for good; null: something that another attempt may mend. */
export function failureOf(error: unknown): ForecastFailure | null {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { code: 'TIMED_OUT', message: 'The forecast took longer than it may.', retryable: true };
  }
  if (!(error instanceof ForecastError)) return null;
  return { code: error.code, message: error.message, retryable: false };
}

/** A checkpoint is the affair of whoever runs the service: what the caller is not told is said here. */
export function logFailure(log: Log, { id }: TakenForecast, { code }: ForecastFailure, error: unknown): void {
  const detail = error instanceof Error ? error.cause : undefined;
  const level = code === 'CHECKPOINT_UNAVAILABLE' ? 'warn' : 'info';
  log[level]({ forecast: id, code, detail }, 'forecast failed');
}
