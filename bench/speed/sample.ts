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
    const values = generateSeries('seasonal_growth', 12, 10, i + 1);
    const filled = values.map((value, t) => (Number.isNaN(value) ? (values[t - 1] ?? 1) : value));
    const history = [...filled].map((value) => (Number.isNaN(value) ? 1 : value)).slice(0, -18);
    return `G${i};MONTHLY;12;18;${history.join(',')};${[...filled].slice(-18).join(',')}`;
  });
}
