import { type Cadence, futureTimestamps } from '../../calendar/index.ts';
import { ForecastError } from './forecast-error.ts';

/** The timestamps that are forecast. Refuses a horizon at whose end there are no dates any more. */
export function periodsAhead(cadence: Cadence, last: number, horizon: number): Float64Array {
  try {
    return futureTimestamps(cadence, last, horizon);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `horizon leads past the dates served: ${error.message} Ask for fewer steps.`;
    throw new ForecastError('INVALID_REQUEST', message, 'horizon');
  }
}
