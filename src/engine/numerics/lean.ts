/** The spread of each step above and below its centre. */
export interface Sides {
  readonly above: Float64Array;
  readonly below: Float64Array;
}

/**
 * Widens the side to which a series has been drifting by up to `share`, and narrows the other as much. Models damp the
 * drift they see, because that pays on average; so where they err, they err more often on its side.
 *
 * @param drift average change per period over the whole past, in the units of `deviation`
 */
export function lean(deviation: Float64Array, drift: number, share: number): Sides {
  const above = new Float64Array(deviation.length);
  const below = new Float64Array(deviation.length);
  for (let h = 0; h < deviation.length; h++) {
    const spread = deviation[h] as number;
    // A drift that would carry the series further than its spread says no more than one that goes just as far.
    const strength = spread > 0 ? Math.max(-1, Math.min(1, (drift * (h + 1)) / spread)) : 0;
    above[h] = spread * (1 + share * strength);
    below[h] = spread * (1 - share * strength);
  }
  return { above, below };
}
