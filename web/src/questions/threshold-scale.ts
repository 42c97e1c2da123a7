// Pure: which value a height of the chart has, and how probable a value between two others is.

/** A threshold with its probability. */
export type Point = readonly [threshold: number, probability: number];

/** Two values of an axis and their heights in the drawing. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly lowY: number;
  readonly highY: number;
}

/** The axis is divided into about so many values that can be picked. */
const DIVISIONS = 200;

/** Returns the distance between two values that can be picked: a power of ten, or two or five times one. */
export function stepOf({ low, high }: Scale): number {
  const exact = (high - low) / DIVISIONS;
  const power = 10 ** Math.floor(Math.log10(exact));
  const factor = [1, 2, 5].find((one) => one * power >= exact) ?? 10;
  return Number((factor * power).toPrecision(6));
}

/** Returns the value at a height, rounded to the nearest that can be picked. */
export function valueAt(scale: Scale, y: number): number {
  const { low, high, lowY, highY } = scale;
  const share = Math.max(0, Math.min(1, (y - lowY) / (highY - lowY)));
  const step = stepOf(scale);
  return Number((Math.round((low + share * (high - low)) / step) * step).toPrecision(12));
}

/** Returns the height of a value, at most at an end of the axis. */
export function yOf({ low, high, lowY, highY }: Scale, value: number): number {
  const share = Math.max(0, Math.min(1, (value - low) / (high - low)));
  return lowY + share * (highY - lowY);
}

/**
 * Returns the step at a place of the chart; null before the first one, where the history is.
 *
 * @param places the place of each step, ascending
 */
export function stepAt(places: readonly number[], x: number): number | null {
  const [first, second] = places;
  if (first === undefined || second === undefined || x < first - (second - first) / 2) return null;
  const distances = places.map((place) => Math.abs(place - x));
  return distances.indexOf(Math.min(...distances)) + 1;
}

/** Returns the probability of a value between those of its neighbors. @param points ascending by threshold */
export function interpolate(points: readonly Point[], value: number): number {
  const after = points.findIndex(([threshold]) => threshold >= value);
  const [upper, lower] = [points[after], points[after - 1]];
  if (upper === undefined) return points.at(-1)?.[1] ?? 0;
  if (lower === undefined) return upper[1];
  const share = (value - lower[0]) / (upper[0] - lower[0]);
  return lower[1] + share * (upper[1] - lower[1]);
}
