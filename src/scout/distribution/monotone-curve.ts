/** A smooth curve through ascending points that never falls between them. */
export interface MonotoneCurve {
  /** Where within segment `i` (from point `i` to the next) the curve reaches `y`, which lies strictly between its ends. */
  solve(i: number, y: number): number;
}

/**
 * Cubic pieces with the slopes of Fritsch and Carlson (a weighted harmonic mean of the neighbouring chords, 0 beside a
 * flat one), so that there is no bump which the points do not have. At both ends the slope is the chord's, which is where
 * a straight tail goes on without a kink.
 *
 * @param x ascending, all different
 * @param y ascending, equal ones allowed; as many as `x`
 */
export function monotoneCurve(x: readonly number[], y: readonly number[]): MonotoneCurve {
  const widths = x.slice(1).map((right, i) => right - (x[i] as number));
  const chords = y.slice(1).map((right, i) => (right - (y[i] as number)) / (widths[i] as number));
  const slopes = x.map((_, i) => slopeAt(i, widths, chords));
  return {
    solve(i, target) {
      const [start, width, bottom, chord] = [x[i], widths[i], y[i], chords[i]] as [number, number, number, number];
      const [left, right] = [slopes[i], slopes[i + 1]] as [number, number];
      // The rise above the left point at the share t of the width: Hermite's cubic.
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
  // 0 beside a flat chord, which divides by 0 to no end.
  return (3 * (left + right)) / ((2 * right + left) / before + (right + 2 * left) / after);
}

/** Where between 0 and 1 a rising function reaches `target`. Halving, because it cannot fail, and gives the same everywhere. */
function bisect(rise: (t: number) => number, target: number): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (rise(middle) < target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
