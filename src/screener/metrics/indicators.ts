import type { BarTable } from '../../market/index.ts';

/**
 * Returns Wilder's average of a value that every bar except the first has. It starts with the mean of the first `count`
 * values; each later value enters with the weight 1 / count. After `n` bars, a weight has shrunk by the factor (1 - 1 /
 * count) ** n.
 */
function wilderAverage(valueAt: (bar: number) => number, last: number, count: number): number {
  if (last < count) return Number.NaN;
  let average = 0;
  for (let bar = 1; bar <= count; bar++) average += valueAt(bar);
  average /= count;
  for (let bar = count + 1; bar <= last; bar++) average = valueAt(bar) / count + average * (1 - 1 / count);
  return average;
}

/**
 * Returns Wilder's relative strength index, as TTR::RSI does. Returns NaN if no close differs from the previous one.
 */
export function relativeStrengthIndex(close: Float64Array, last: number, count: number): number {
  const change = (bar: number): number => (close[bar] as number) - (close[bar - 1] as number);
  const up = wilderAverage((bar) => Math.max(change(bar), 0), last, count);
  const down = wilderAverage((bar) => Math.max(-change(bar), 0), last, count);
  return (100 * up) / (up + down);
}

/** Returns Wilder's average true range, as TTR::ATR does. */
export function averageTrueRange({ high, low, close }: BarTable['columns'], last: number, count: number): number {
  const trueRange = (bar: number): number => {
    const previousClose = close[bar - 1] as number;
    return Math.max(high[bar] as number, previousClose) - Math.min(low[bar] as number, previousClose);
  };
  return wilderAverage(trueRange, last, count);
}

// The functions below use the `count` bars up to and including the bar `last`. They return NaN if there are too few
// bars.

export function mean(values: Float64Array, last: number, count: number): number {
  if (last - count + 1 < 0) return Number.NaN;
  let sum = 0;
  for (let i = last - count + 1; i <= last; i++) sum += values[i] as number;
  return sum / count;
}

export function highest(values: Float64Array, last: number, count: number): number {
  if (last - count + 1 < 0) return Number.NaN;
  let found = values[last] as number;
  for (let i = last - count + 1; i < last; i++) found = Math.max(found, values[i] as number);
  return found;
}

export function lowest(values: Float64Array, last: number, count: number): number {
  if (last - count + 1 < 0) return Number.NaN;
  let found = values[last] as number;
  for (let i = last - count + 1; i < last; i++) found = Math.min(found, values[i] as number);
  return found;
}

/** Returns by how many percent `value` is above `base`. */
export function percentAbove(value: number | undefined, base: number | undefined): number {
  return value === undefined || base === undefined ? Number.NaN : (value / base - 1) * 100;
}
