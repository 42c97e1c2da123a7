import type { BarTable } from '../../market/index.ts';

/**
 * Wilder's average of a value that each bar but the first has: the mean of the first `count`, then each value weighs
 * one part in `count`. It never forgets a bar entirely, but one that lies `n` back weighs (1 - 1 / count) ** n.
 */
function wilderAverage(valueAt: (bar: number) => number, last: number, count: number): number {
  if (last < count) return Number.NaN;
  let average = 0;
  for (let bar = 1; bar <= count; bar++) average += valueAt(bar);
  average /= count;
  for (let bar = count + 1; bar <= last; bar++) average = valueAt(bar) / count + average * (1 - 1 / count);
  return average;
}

/** Wilder's relative strength index, as TTR::RSI has it. NaN where no close differed from the one before. */
export function relativeStrength(close: Float64Array, last: number, count: number): number {
  const change = (bar: number): number => (close[bar] as number) - (close[bar - 1] as number);
  const up = wilderAverage((bar) => Math.max(change(bar), 0), last, count);
  const down = wilderAverage((bar) => Math.max(-change(bar), 0), last, count);
  return (100 * up) / (up + down);
}

/** Wilder's average true range, as TTR::ATR has it. */
export function averageTrueRange({ high, low, close }: BarTable['columns'], last: number, count: number): number {
  const trueRange = (bar: number): number => {
    const before = close[bar - 1] as number;
    return Math.max(high[bar] as number, before) - Math.min(low[bar] as number, before);
  };
  return wilderAverage(trueRange, last, count);
}
