import { createRandom } from '../../src/engine/numerics/random.ts';
import { generateSeries } from '../../test/support/engine/generated-series.ts';

/** Draws a random sample of lines, which depends only on the seed. */
export function sampleLines(lines: readonly string[], count: number, seed: number): string[] {
  const random = createRandom(seed);
  const rest = [...lines];
  const sample: string[] = [];
  while (sample.length < count && rest.length > 0) {
    sample.push(...rest.splice(Math.floor(random.uniform() * rest.length), 1));
  }
  return sample;
}

/** Generates monthly series as lines of a file: `id;period;frequency;horizon;history;actuals`. */
export function generatedLines(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const values = [...generateSeries('seasonal_growth', 12, 10, i + 1)];
    // Fills a gap with the value before it, because the models of R do not fit gaps.
    for (const [t, value] of values.entries()) if (Number.isNaN(value)) values[t] = values[t - 1] ?? 1;
    return `G${i};MONTHLY;12;18;${values.slice(0, -18).join(',')};${values.slice(-18).join(',')}`;
  });
}
