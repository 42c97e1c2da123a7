/**
 * What history alone would have said: of all earlier windows as long as the horizon, the share that ended above the change.
 * Every window ended by the cut-off. One yes and one no are added (Laplace's rule), so that what never happened
 * is not impossible.
 *
 * @param past the values up to the cut-off, oldest first, all above 0
 * @param change in percent
 */
export function baseRate(past: ArrayLike<number>, horizon: number, change: number): number {
  const windows = Math.max(0, past.length - horizon);
  const factor = 1 + change / 100;
  let above = 0;
  for (let start = 0; start < windows; start++) {
    if ((past[start + horizon] as number) > (past[start] as number) * factor) above++;
  }
  return (above + 1) / (windows + 2);
}
