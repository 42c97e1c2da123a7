import { gridOf, type SeriesKind } from '../calendar/index.ts';
import type { Session } from '../contract/index.ts';
import { BAR_COLUMNS, type BarQuery, type BarTable } from './bars.ts';

/** Copies the rows `from` to `to` (exclusive) of a table. */
export function sliceBars({ timestamps, columns }: BarTable, from: number, to?: number): BarTable {
  return tableOf(timestamps.slice(from, to), (name) => columns[name].slice(from, to));
}

/** Returns whether bars of this frequency cover a part of a day only. */
export function isIntraday(frequency: BarQuery['frequency']): boolean {
  return frequency !== '1D' && frequency !== '1W-MON' && frequency !== '1MS';
}

/**
 * Leaves out the bars of a stock that begin outside the regular hours, unless the extended hours are wanted. Bars before
 * the first known session are kept.
 */
export function selectSession(
  bars: BarTable,
  { frequency, kind, session }: Pick<BarQuery, 'frequency'> & { readonly kind: SeriesKind; readonly session: Session },
): BarTable {
  if (session === 'extended' || kind !== 'exchange' || !isIntraday(frequency)) return bars;
  const hours = gridOf({ frequency, kind, hours: session });
  const isWanted = (timestamp: number) =>
    timestamp < hours.earliest || timestamp > hours.latest || hours.contains(timestamp);
  const { timestamps, columns } = bars;
  const rows: number[] = [];
  for (let i = 0; i < timestamps.length; i++) if (isWanted(timestamps[i] as number)) rows.push(i);
  if (rows.length === timestamps.length) return bars;
  const pick = (values: Float64Array) => Float64Array.from(rows, (row) => values[row] as number);
  return tableOf(pick(timestamps), (name) => pick(columns[name]));
}

function tableOf(timestamps: Float64Array, column: (name: (typeof BAR_COLUMNS)[number]) => Float64Array): BarTable {
  const columns = Object.fromEntries(BAR_COLUMNS.map((name) => [name, column(name)]));
  return { timestamps, columns: columns as unknown as BarTable['columns'] };
}
