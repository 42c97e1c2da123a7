import { previousSession } from '../../calendar/index.ts';
import { SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import type { BarTable } from '../../market/index.ts';
import { type DailyMetricsTable, type PreviousField, previousField } from '../tables.ts';
import { averageTrueRange, highest, lowest, mean, percentAbove, relativeStrengthIndex } from './indicators.ts';

/** One number per field; null if there are too few bars or the number is undefined. */
type Metrics = Readonly<Record<ScreenerField, number | null>>;

const SESSIONS_PER_YEAR = 252;
const VOLUME_WINDOW = 20;
const WILDER_WINDOW = 14;

/**
 * Computes the metrics of a symbol at one of its bars, from that bar and the earlier ones. Windows count bars of the
 * symbol, so they skip sessions in which it was not traded.
 */
export function computeMetrics({ columns }: Pick<BarTable, 'columns'>, bar: number): Metrics {
  const { open, high, low, close, volume } = columns;
  const current = close[bar];
  const gain = (bars: number): number => percentAbove(current, close[bar - bars]);
  return nanToNull({
    close: current ?? Number.NaN,
    change_pct: gain(1),
    gap_pct: percentAbove(open[bar], close[bar - 1]),
    volume: volume[bar] ?? Number.NaN,
    rel_volume: (volume[bar] ?? Number.NaN) / mean(volume, bar - 1, VOLUME_WINDOW),
    perf_5d: gain(5),
    perf_21d: gain(21),
    perf_63d: gain(63),
    perf_126d: gain(126),
    perf_252d: gain(252),
    pct_from_52w_high: percentAbove(current, highest(high, bar, SESSIONS_PER_YEAR)),
    pct_from_52w_low: percentAbove(current, lowest(low, bar, SESSIONS_PER_YEAR)),
    sma_20: mean(close, bar, 20),
    sma_50: mean(close, bar, 50),
    sma_200: mean(close, bar, 200),
    rsi_14: relativeStrengthIndex(close, bar, WILDER_WINDOW),
    atr_14: averageTrueRange(columns, bar, WILDER_WINDOW),
  });
}

function nanToNull(numbers: Record<ScreenerField, number>): Metrics {
  return Object.fromEntries(
    Object.entries(numbers).map(([field, value]) => [field, Number.isFinite(value) ? value : null]),
  ) as Metrics;
}

/**
 * The number of bars from which a row is computed, including the bar of the session. Wilder's averages depend on all
 * earlier bars, but older bars have a weight below 1e-12.
 */
export const MAX_SESSIONS_READ = 400;

const MAX_RECENT_CLOSES = 30;

type MetricsRow = Omit<DailyMetricsTable, 'session' | 'symbol' | 'shared'>;

/**
 * Computes the metrics of a symbol at a session and at the session before, if that one has a bar. Returns null if the
 * symbol has no bar in the session.
 */
export function computeMetricsRow(bars: BarTable, session: number): MetricsRow | null {
  const bar = bars.timestamps.indexOf(session);
  if (bar === -1) return null;
  const hasPrevious = bars.timestamps[bar - 1] === previousSession(session);
  return {
    ...computeMetrics(bars, bar),
    ...toPreviousFields(hasPrevious ? computeMetrics(bars, bar - 1) : null),
    recent_closes: Array.from(bars.columns.close.subarray(Math.max(0, bar + 1 - MAX_RECENT_CLOSES), bar + 1)),
  };
}

function toPreviousFields(metrics: Metrics | null): Record<PreviousField, number | null> {
  const entries = SCREENER_FIELDS.map((field) => [previousField(field), metrics?.[field] ?? null]);
  return Object.fromEntries(entries) as Record<PreviousField, number | null>;
}
