import { EARLIEST_INSTANT, LATEST_INSTANT, periodTimestamp } from '../../calendar/index.ts';
import { malformed } from '../../platform/index.ts';
import type { SeriesTable } from '../../snapshots/index.ts';
import type { EconomicFrequency, RawObservation } from './provider.ts';

/** The only value field of series that come from providers. */
export const VALUE_FIELD = 'value';

/** The rows of one series. */
export interface BuiltRows {
  /** Has the column `value`, with NaN for a missing value. */
  readonly table: SeriesTable;
  /** The flag of each row, in the order of the rows; undefined for rows without one. */
  readonly flags: readonly (string | undefined)[];
  /** The number of observations before 1800 or after 2200, which are left out. */
  readonly outside: number;
}

/**
 * Converts observations to rows: each gets the timestamp of its period, and they are sorted. Throws a `ProviderError`
 * with the fault MALFORMED if two observations have the same period or a number is infinite.
 */
export function buildRows(
  provider: string,
  frequency: EconomicFrequency,
  observations: readonly RawObservation[],
): BuiltRows {
  const rows: (RawObservation & { readonly timestamp: number })[] = [];
  let outside = 0;
  for (const observation of observations) {
    const { instant, value } = observation;
    if (!Number.isFinite(instant)) throw malformed(provider, 'a date');
    if (!Number.isFinite(value) && !Number.isNaN(value)) throw malformed(provider, 'a value');
    if (instant < EARLIEST_INSTANT || instant > LATEST_INSTANT) outside++;
    else rows.push({ ...observation, timestamp: periodTimestamp(frequency, instant) });
  }
  rows.sort((a, b) => a.timestamp - b.timestamp);
  for (let row = 1; row < rows.length; row++) {
    if (rows[row]?.timestamp === rows[row - 1]?.timestamp) throw malformed(provider, 'two values of one period');
  }
  return {
    table: {
      timestamps: Float64Array.from(rows, ({ timestamp }) => timestamp),
      columns: { [VALUE_FIELD]: Float64Array.from(rows, ({ value }) => value) },
    },
    flags: rows.map(({ flag }) => flag),
    outside,
  };
}
