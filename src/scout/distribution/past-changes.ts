/**
 * The smallest number of windows for a share. Windows overlap, so they carry less information than their number
 * suggests.
 */
const MIN_WINDOWS = 100;
const MIN_WINDOWS_PER_STEP = 10;

/**
 * The prices that a forecast was computed from, oldest first, and the number of steps from the last price to the one
 * that a question is about.
 */
export interface PastPrices {
  readonly values: ArrayLike<number>;
  readonly steps: number;
}

/**
 * Returns the share of past windows, each `steps` long, in which the price rose by more than it must now rise to reach
 * the threshold. One yes and one no are added (Laplace's rule), so that an event that never happened does not get a
 * probability of 0.
 *
 * @param inclusive whether a window that reaches the threshold exactly counts as well
 * @returns null if there are too few windows or some values are not prices
 */
export function computePastShare({ values, steps }: PastPrices, threshold: number, inclusive: boolean): number | null {
  const windows = values.length - steps;
  if (windows < Math.max(MIN_WINDOWS, MIN_WINDOWS_PER_STEP * steps)) return null;
  for (let row = 0; row < values.length; row++) if (!isPrice(values[row])) return null;
  const factor = threshold / (values[values.length - 1] as number);
  let above = 0;
  for (let start = 0; start < windows; start++) {
    const [target, reached] = [(values[start] as number) * factor, values[start + steps] as number];
    if (inclusive ? reached >= target : reached > target) above++;
  }
  return (above + 1) / (windows + 2);
}

function isPrice(value: number | undefined): boolean {
  return value !== undefined && Number.isFinite(value) && value > 0;
}
