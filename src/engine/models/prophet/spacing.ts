/**
 * The usual distance, in milliseconds, between the times of two periods that are `periods` apart. The median, because
 * months differ in length and sessions of an exchange have nights and weekends between them.
 *
 * @returns null when the times do not reach that far
 */
export function usualDistance(times: Float64Array, periods: number): number | null {
  const pairs = times.length - periods;
  if (pairs < 1) return null;
  return median(Float64Array.from({ length: pairs }, (_, i) => (times[i + periods] as number) - (times[i] as number)));
}

/** How many periods usually start within a duration: 7 days in a week, or 5 sessions of an exchange. */
export function usualCount(times: Float64Array, durationMs: number): number {
  let next = 0;
  const counts = Float64Array.from(times, (time, i) => {
    while (next < times.length && (times[next] as number) < time + durationMs) next++;
    return next - i;
  });
  return median(counts);
}

function median(values: Float64Array): number {
  return values.sort()[values.length >> 1] as number;
}
