/**
 * A copy with every NaN replaced by a straight line between its neighbours (by the nearest value at the ends). For
 * starting values and decompositions only: models themselves let a gap be a gap.
 */
export function fillGaps(values: Float64Array): Float64Array {
  const filled = Float64Array.from(values);
  let before = -1;
  for (let t = 0; t < filled.length; t++) {
    if (Number.isNaN(filled[t])) continue;
    const from = before < 0 ? (filled[t] as number) : (filled[before] as number);
    const slope = before < 0 ? 0 : ((filled[t] as number) - from) / (t - before);
    for (let gap = before + 1; gap < t; gap++) filled[gap] = from + slope * (gap - before);
    before = t;
  }
  if (before >= 0) filled.fill(filled[before] as number, before + 1);
  return filled;
}
