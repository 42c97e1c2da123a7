import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { MarketProvider } from '../providers/provider.ts';
import type { BarSeriesTable, StoreTables } from '../store/tables.ts';

/** Which split-adjusted days of a symbol are stored. */
export interface DayCoverage {
  /** The latest contiguous days: from `from` on and before `to`. */
  readonly from: number;
  readonly to: number;
  readonly settledBar: number | null;
  readonly lastBar: number | null;
}

/** Returns which split-adjusted days of a provider are stored, by symbol. */
export async function readDayCoverage(executor: Executor, provider: MarketProvider): Promise<Map<string, DayCoverage>> {
  const { rows } = await sql<Pick<BarSeriesTable, 'symbol' | 'coverage'>>`
    SELECT symbol, coverage FROM bar_series
    WHERE provider = ${provider.id} AND frequency = '1D' AND adjustment = 'split' AND side = ${provider.sides[0]}
  `.execute(executor.query<StoreTables>());
  const days = new Map<string, DayCoverage>();
  for (const { symbol, coverage } of rows) {
    const { settledBar, lastBar } = coverage;
    const range = coverage.ranges.at(-1);
    if (range !== undefined) days.set(symbol, { ...range, settledBar, lastBar });
  }
  return days;
}
