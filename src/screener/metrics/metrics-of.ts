import type { ScreenerField } from '../../contract/index.ts';
import type { BarTable } from '../../market/index.ts';
import { averageTrueRange, relativeStrength } from './wilder.ts';
import { highest, lowest, mean, percentAbove } from './windows.ts';

/** One number per field; null where there are too few bars for it, or none is defined. */
export type Metrics = Readonly<Record<ScreenerField, number | null>>;

/** Sessions of a year. */
const YEAR = 252;
const VOLUME_WINDOW = 20;
const WILDER_WINDOW = 14;

/**
 * The numbers of a symbol at one of its bars, from that and the ones before. Windows count bars of the symbol: a session
 * in which it did not trade is no part of them.
 */
export function metricsOf({ columns }: Pick<BarTable, 'columns'>, bar: number): Metrics {
  const { open, high, low, close, volume } = columns;
  const now = close[bar];
  const gain = (bars: number): number => percentAbove(now, close[bar - bars]);
  return withoutNaN({
    close: now ?? Number.NaN,
    change_pct: gain(1),
    gap_pct: percentAbove(open[bar], close[bar - 1]),
    volume: volume[bar] ?? Number.NaN,
    rel_volume: (volume[bar] ?? Number.NaN) / mean(volume, bar - 1, VOLUME_WINDOW),
    perf_5d: gain(5),
    perf_21d: gain(21),
    perf_63d: gain(63),
    perf_126d: gain(126),
    perf_252d: gain(252),
    pct_from_52w_high: percentAbove(now, highest(high, bar, YEAR)),
    pct_from_52w_low: percentAbove(now, lowest(low, bar, YEAR)),
    sma_20: mean(close, bar, 20),
    sma_50: mean(close, bar, 50),
    sma_200: mean(close, bar, 200),
    rsi_14: relativeStrength(close, bar, WILDER_WINDOW),
    atr_14: averageTrueRange(columns, bar, WILDER_WINDOW),
  });
}

function withoutNaN(numbers: Record<ScreenerField, number>): Metrics {
  return Object.fromEntries(
    Object.entries(numbers).map(([field, value]) => [field, Number.isFinite(value) ? value : null]),
  ) as Metrics;
}
