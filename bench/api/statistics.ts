export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

/** Of values in ascending order, by linear interpolation. */
export function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
