import { futureTimestamps, SeriesError } from '../../../calendar/index.ts';
import { ModelError } from '../../model.ts';
import type { Series } from '../../series.ts';

/** The timestamps after a series. What the calendar cannot give becomes a `ModelError`. */
export function futureTimes({ cadence, times }: Series, horizon: number): Float64Array {
  const last = times[times.length - 1] as number;
  try {
    return futureTimestamps(cadence, last, horizon);
  } catch (error) {
    if (error instanceof SeriesError) {
      throw new ModelError('INVALID_SERIES', `The series does not end on a timestamp of its cadence. ${error.message}`);
    }
    if (error instanceof RangeError) {
      throw new ModelError('UNSUPPORTED_HORIZON', `There are no dates for ${horizon} steps ahead. ${error.message}`);
    }
    throw error;
  }
}
