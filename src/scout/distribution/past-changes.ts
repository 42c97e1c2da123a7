/** Fewer say too little, and windows that overlap say less than their number. */
const MIN_WINDOWS = 100;
const MIN_WINDOWS_A_STEP = 10;

/** Prices that a forecast was made from, oldest first, and how many steps after the last of them is asked about. */
export interface PastPrices {
  readonly values: ArrayLike<number>;
  readonly steps: number;
}

/**
 * How often a price has changed over as many steps by more than what takes it from its last value to the threshold: the
 * share of all windows within the rows. One yes and one no are added (Laplace's rule), so that what never happened is
 * not impossible.
 *
 * @param counted whether reaching the threshold exactly counts as well
 * @returns null where there are too few windows, or values that are no prices
 */
export function pastShareAbove({ values, steps }: PastPrices, threshold: number, counted: boolean): number | null {
  const windows = values.length - steps;
  if (windows < Math.max(MIN_WINDOWS, MIN_WINDOWS_A_STEP * steps)) return null;
  for (let row = 0; row < values.length; row++) if (!isPrice(values[row])) return null;
  const factor = threshold / (values[values.length - 1] as number);
  let above = 0;
  for (let start = 0; start < windows; start++) {
    const [least, reached] = [(values[start] as number) * factor, values[start + steps] as number];
    if (counted ? reached >= least : reached > least) above++;
  }
  return (above + 1) / (windows + 2);
}

function isPrice(value: number | undefined): boolean {
  return value !== undefined && Number.isFinite(value) && value > 0;
}
