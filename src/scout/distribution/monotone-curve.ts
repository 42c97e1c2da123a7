/** A smooth curve through ascending points that never falls between them. */
export interface MonotoneCurve {
  /** Returns the x at which segment `i` (from point `i` to the next) reaches `y`, which lies strictly between its ends. */
  solve(i: number, y: number): number;
}

/**
 * Fits cubic pieces with the slopes of Fritsch and Carlson: a weighted harmonic mean of the slopes of the neighboring
 * chords, or 0 beside a flat chord. The curve therefore has no bump that the points do not have. At both ends it has
 * the slope of the chord, so that a straight tail continues it without a kink.
 *
 * @param x ascending, without repetition
 * @param y ascending, of the same length as `x`; equal values are allowed
 */
export function fitMonotoneCurve(x: readonly number[], y: readonly number[]): MonotoneCurve {
  const widths = x.slice(1).map((right, i) => right - (x[i] as number));
  const chords = y.slice(1).map((right, i) => (right - (y[i] as number)) / (widths[i] as number));
  const slopes = x.map((_, i) => slopeAt(i, widths, chords));
  return {
    solve(i, target) {
      const [start, width, bottom, chord] = [x[i], widths[i], y[i], chords[i]] as [number, number, number, number];
      const [left, right] = [slopes[i], slopes[i + 1]] as [number, number];
      // Hermite's cubic: the rise above the left point at the fraction t of the width.
      const rise = (t: number): number =>
        width * t * (left + t * (3 * chord - 2 * left - right + t * (left + right - 2 * chord)));
      return start + width * bisect(rise, target - bottom);
    },
  };
}

function slopeAt(i: number, widths: readonly number[], chords: readonly number[]): number {
  const [before, after] = [chords[i - 1], chords[i]];
  if (before === undefined || after === undefined) return before ?? after ?? 0;
  const [left, right] = [widths[i - 1], widths[i]] as [number, number];
  // Beside a flat chord the denominator is infinite and the slope 0.
  return (3 * (left + right)) / ((2 * right + left) / before + (right + 2 * left) / after);
}

/**
 * Returns the number between 0 and 1 at which a rising function reaches `target`. Bisection always converges, and gives
 * the same result on every machine.
 */
function bisect(rise: (t: number) => number, target: number): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (rise(middle) < target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
