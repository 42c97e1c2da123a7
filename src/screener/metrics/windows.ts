// Each looks back from one bar, included unless said otherwise. NaN: there are too few bars.

/** The mean of so many values up to `last`. */
export function mean(values: Float64Array, last: number, count: number): number {
  if (last - count + 1 < 0) return Number.NaN;
  let sum = 0;
  for (let i = last - count + 1; i <= last; i++) sum += values[i] as number;
  return sum / count;
}

/** The highest of so many values up to `last`. */
export function highest(values: Float64Array, last: number, count: number): number {
  if (last - count + 1 < 0) return Number.NaN;
  let found = values[last] as number;
  for (let i = last - count + 1; i < last; i++) found = Math.max(found, values[i] as number);
  return found;
}

/** The lowest of so many values up to `last`. */
export function lowest(values: Float64Array, last: number, count: number): number {
  if (last - count + 1 < 0) return Number.NaN;
  let found = values[last] as number;
  for (let i = last - count + 1; i < last; i++) found = Math.min(found, values[i] as number);
  return found;
}

/** By how many percent `value` is above `base`. */
export function percentAbove(value: number | undefined, base: number | undefined): number {
  return value === undefined || base === undefined ? Number.NaN : (value / base - 1) * 100;
}
