/** The quantile of ascending values by linear interpolation between their ranks (type 7 of Hyndman and Fan). */
export function sortedQuantile(ascending: Float64Array, probability: number): number {
  const position = probability * (ascending.length - 1);
  const below = Math.floor(position);
  const low = ascending[below] as number;
  const high = ascending[Math.min(below + 1, ascending.length - 1)] as number;
  return low + (position - below) * (high - low);
}
