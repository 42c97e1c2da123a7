import { previousSession } from '../../calendar/index.ts';
import { SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import type { BarTable } from '../../market/index.ts';
import type { DailyMetricsTable } from '../tables.ts';
import { type Metrics, metricsOf } from './metrics-of.ts';

/**
 * Bars that a row is made from, this session's included. Wilder's averages remember all bars there ever were, but what
 * lies further back than this weighs less than 1e-12 in them.
 */
export const SESSIONS_READ = 400;

const CLOSES_SHOWN = 30;

/** A row, but for what it belongs to. */
export type MetricsRow = Omit<DailyMetricsTable, 'session' | 'symbol' | 'shared'>;

/** The numbers at a session of which there is a bar, and at the session before where there is one of that; null: no bar. */
export function metricsRow(bars: BarTable, session: number): MetricsRow | null {
  const bar = bars.timestamps.indexOf(session);
  if (bar === -1) return null;
  const isPreviousThere = bars.timestamps[bar - 1] === previousSession(session);
  return {
    ...metricsOf(bars, bar),
    ...asPrevious(isPreviousThere ? metricsOf(bars, bar - 1) : null),
    recent_closes: Array.from(bars.columns.close.subarray(Math.max(0, bar + 1 - CLOSES_SHOWN), bar + 1)),
  };
}

function asPrevious(metrics: Metrics | null): Record<`previous_${ScreenerField}`, number | null> {
  return Object.fromEntries(SCREENER_FIELDS.map((field) => [`previous_${field}`, metrics?.[field] ?? null])) as Record<
    `previous_${ScreenerField}`,
    number | null
  >;
}
