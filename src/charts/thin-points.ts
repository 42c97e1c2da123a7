/** Points in pixels. A y of NaN is a missing value. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** A distance in pixels that is not visible. */
const TOLERANCE = 0.2;

/**
 * Returns the indices of the points in [from, to) that a line needs to look the same: in each column of pixels the
 * first, lowest, highest and last one, and of the points on a straight line only its ends.
 *
 * @param maxPoints more points are left out until at most this number remains, or 1.6 pixels would be visible
 */
export function thinPoints({ x, y }: Points, from: number, to: number, maxPoints = 4_000): number[] {
  const columns = thinColumns(x, y, from, to);
  let tolerance = TOLERANCE;
  let kept = thinStraight(x, y, columns, tolerance);
  while (kept.length > maxPoints && tolerance < 1.6) {
    tolerance *= 2;
    kept = thinStraight(x, y, columns, tolerance);
  }
  return kept;
}

/** Returns the first, lowest, highest and last point of each column of pixels. */
function thinColumns(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number): number[] {
  const kept: number[] = [];
  const at = (list: ArrayLike<number>, i: number): number => list[i] ?? Number.NaN;
  for (let first = from; first < to; ) {
    const column = Math.floor(at(x, first));
    let [low, high, last] = [first, first, first];
    while (last + 1 < to && Math.floor(at(x, last + 1)) === column) {
      last += 1;
      if (at(y, last) < at(y, low)) low = last;
      if (at(y, last) > at(y, high)) high = last;
    }
    for (const i of [first, Math.min(low, high), Math.max(low, high), last]) {
      if (i !== kept.at(-1)) kept.push(i);
    }
    first = last + 1;
  }
  return kept;
}

/** Leaves out points that are closer than `tolerance` to the line between the points that are kept. */
function thinStraight(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  points: readonly number[],
  tolerance: number,
): number[] {
  if (points.length <= 2) return [...points];
  const at = (list: ArrayLike<number>, i: number): number => list[points[i] ?? 0] ?? Number.NaN;
  const kept = [0];
  let pivot = 0;
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 1; i < points.length; i++) {
    const dx = at(x, i) - at(x, pivot);
    const slope = (at(y, i) - at(y, pivot)) / dx;
    if (dx <= 0 || slope < low || slope > high) {
      // The line from the pivot to this point would pass too far from one between them: the point before it is kept.
      if (i - 1 > pivot) {
        pivot = i - 1;
        kept.push(pivot);
      }
      [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    }
    const run = at(x, i) - at(x, pivot);
    if (run <= 0) {
      kept.push(i);
      pivot = i;
      continue;
    }
    low = Math.max(low, (at(y, i) - tolerance - at(y, pivot)) / run);
    high = Math.min(high, (at(y, i) + tolerance - at(y, pivot)) / run);
  }
  if (kept.at(-1) !== points.length - 1) kept.push(points.length - 1);
  return kept.map((i) => points[i] ?? 0);
}
