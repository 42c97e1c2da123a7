import { normalProbability, normalQuantile } from '../../engine/index.ts';

const TENTHS = 10;
/** Normal scores cannot bridge a larger gap between two levels without inventing the shape of the distribution. */
const MAX_GAP = 0.4;
const ROUNDING = 1e-9;

/** Returns whether values can be placed in the tenths of a distribution with these levels, ascending. */
export function haveTenths(levels: readonly number[]): boolean {
  const reaches = (levels[0] ?? 1) <= 0.1 && (levels.at(-1) ?? 0) >= 0.9;
  return reaches && levels.every((level, i) => i === 0 || level - (levels[i - 1] as number) <= MAX_GAP + ROUNDING);
}

/**
 * Returns the share of a row in each tenth of its predicted distribution. The shares add up to 1.
 *
 * Between two quantiles a value is placed by linear interpolation of their normal scores, so that the tenths of a
 * normal distribution are exact whatever its levels. A value that equals one quantile lies at its level; if that is the
 * edge of two tenths, half of the row counts for each. A value that equals several quantiles, as with a series that
 * often has the same value, is divided among the tenths between their levels, up to 0 or 1 if the outermost quantile is
 * one of them. Otherwise, forecasts that state such a value with the right probability would not look calibrated.
 *
 * @param levels as `haveTenths` accepts them
 * @param quantiles the value at each level, ascending
 */
export function placeInTenths(levels: readonly number[], quantiles: readonly number[], actual: number): number[] {
  const first = quantiles.findIndex((value) => value >= actual);
  if (first === -1) return divideAt(TENTHS - 1);
  if ((quantiles[first] as number) > actual) {
    const place = first === 0 ? 0 : interpolate(levels, quantiles, actual, first);
    return divideAt(Math.min(TENTHS - 1, Math.floor(place * TENTHS)));
  }
  let last = first;
  while (quantiles[last + 1] === actual) last++;
  if (last === first) return divide(levels[first] as number, levels[first] as number);
  const from = first === 0 ? 0 : (levels[first] as number);
  const to = last === levels.length - 1 ? 1 : (levels[last] as number);
  return divide(from, to);
}

/** Returns the place of a value that lies between the quantiles before and at `above`. */
function interpolate(levels: readonly number[], quantiles: readonly number[], actual: number, above: number): number {
  const [from, to] = [levels[above - 1] as number, levels[above] as number];
  const [low, high] = [quantiles[above - 1] as number, quantiles[above] as number];
  // Halves, because the difference of two huge values would overflow.
  const share = (actual / 2 - low / 2) / (high / 2 - low / 2);
  const score = normalQuantile(from) * (1 - share) + normalQuantile(to) * share;
  return Math.max(from, Math.min(to, normalProbability(score)));
}

/** Divides a row evenly among the tenths between two places. A place at the edge of two tenths belongs to both. */
function divide(from: number, to: number): number[] {
  const [low, high] = [toTenths(from), toTenths(to)];
  if (low === high) return Number.isInteger(low) ? divideAt(low - 1, low) : divideAt(Math.floor(low));
  return Array.from({ length: TENTHS }, (_, i) => Math.max(0, Math.min(high, i + 1) - Math.max(low, i)) / (high - low));
}

/** Returns a place in tenths, rounded, because products such as 0.35 * 10 can have an error in the last digit. */
function toTenths(place: number): number {
  return Math.round(place * TENTHS * 1e9) / 1e9;
}

function divideAt(...tenths: readonly number[]): number[] {
  return Array.from({ length: TENTHS }, (_, i) => (tenths.includes(i) ? 1 / tenths.length : 0));
}
