import type { ForecastRequest } from '../../../src/engine/index.ts';
import { createRandom } from '../../../src/engine/numerics/random.ts';

/** Returns a request for a generated monthly series: a trend, noise and, on request, a season. */
export function monthlyRequest(
  rows: number,
  horizon: number,
  { season = 0, seed = 1, ...fields }: Partial<ForecastRequest> & { season?: number; seed?: number } = {},
): ForecastRequest {
  const random = createRandom(seed);
  let walk = 100;
  const values = Array.from({ length: rows }, (_, i) => {
    walk += 0.5 + 2 * (random.uniform() - 0.5);
    return walk + season * Math.sin((2 * Math.PI * i) / 12) + 3 * (random.uniform() - 0.5);
  });
  return {
    cadence: { frequency: '1MS', kind: 'plain' },
    timestamps: values.map((_, i) => Date.UTC(1990, i, 1)),
    values,
    horizon,
    ...fields,
  };
}
