import { createSeededRandom } from '../../test/support/platform/seeded-random.ts';

/** Returns a request for a generated monthly series. */
export function smallRequest(seed: number, { rows = 40, models = ['theta', 'ets'] } = {}) {
  const random = createSeededRandom(seed);
  let value = 100;
  const points = Array.from({ length: rows }, (_, i) => {
    value += 0.5 + 2 * (random() - 0.5);
    return { timestamp: new Date(Date.UTC(1990, i, 1)).toISOString(), value };
  });
  return { source: { type: 'inline' as const, points }, horizon: 6, models, title: `bench ${seed}` };
}
