const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * Values as a line of small bars, the lowest as the lowest bar. Nothing for fewer than two: one value has no course.
 *
 * @example sparkline([1, 2, 3]) // ▁▅█
 */
export function sparkline(values: readonly number[]): string {
  if (values.length < 2) return '';
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => BARS[span === 0 ? 3 : Math.round(((value - low) / span) * (BARS.length - 1))]).join('');
}
