import type { Cadence } from '../../src/calendar/index.ts';
import type { ForecastRequest } from '../../src/engine/index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';

const STATISTICAL = ['prophet', 'ets', 'theta', 'arima'];

interface SeriesOptions {
  readonly rows: number;
  readonly season: number;
  /** Growth per row, as a factor. */
  readonly growth?: number;
  readonly noise?: number;
  /** Every row whose number is divisible by this is missing. */
  readonly gapEvery?: number;
}

/** Generates rows by arithmetic that every processor rounds alike. */
function generate(
  timeOf: (i: number) => number,
  { rows, season, growth = 1.002, noise = 4, gapEvery = rows + 1 }: SeriesOptions,
): Pick<ForecastRequest, 'timestamps' | 'values'> {
  const random = createRandom(rows);
  const indices = Array.from({ length: rows }, (_, i) => i);
  let level = 100;
  const values = indices.map((i) => {
    level = level * growth + (random.uniform() - 0.5) * noise;
    const phase = (i % season) / season;
    return level + 60 * phase * (1 - phase) + (random.uniform() - 0.5) * noise;
  });
  const kept = indices.filter((i) => (i + 1) % gapEvery !== 0);
  return { timestamps: kept.map(timeOf), values: kept.map((i) => values[i] as number) };
}

const plain = (frequency: Cadence['frequency']): Cadence => ({ frequency, kind: 'plain' });
const monthly = (i: number): number => Date.UTC(2010, i + 1, 0);
const daily = (i: number): number => Date.UTC(2020, 0, 1 + i);

/** Requests whose results must have the same bytes on every processor; with toto, values within its tolerance. */
export const GOLDEN_REQUESTS: Readonly<Record<string, ForecastRequest>> = {
  monthly: {
    cadence: plain('1ME'),
    ...generate(monthly, { rows: 96, season: 12 }),
    horizon: 12,
    models: STATISTICAL,
  },
  quarterly_growth: {
    cadence: plain('1QE'),
    ...generate((i) => Date.UTC(2005, 3 * i + 3, 0), { rows: 48, season: 4, growth: 1.02 }),
    horizon: 8,
    models: STATISTICAL,
    quantiles: [0.025, 0.5, 0.975],
  },
  daily_with_gaps: {
    cadence: plain('1D'),
    ...generate(daily, { rows: 150, season: 7, gapEvery: 11 }),
    horizon: 14,
    models: STATISTICAL,
  },
  yearly_short: {
    cadence: plain('1YE'),
    ...generate((i) => Date.UTC(1990 + i, 11, 31), { rows: 24, season: 1, noise: 9 }),
    horizon: 5,
    models: STATISTICAL,
  },
  pinball: {
    cadence: plain('1ME'),
    ...generate(monthly, { rows: 84, season: 12, growth: 1.01, noise: 12 }),
    horizon: 6,
    models: STATISTICAL,
    weightingPolicy: 'rolling_pinball_v1',
    seed: 7,
  },
  manual: {
    cadence: plain('1D'),
    ...generate(daily, { rows: 120, season: 5, noise: 20 }),
    horizon: 10,
    models: ['ets', 'theta', 'arima'],
    weightMode: 'manual',
    weights: { ets: 2, theta: 1, arima: 1 },
  },
  toto: {
    cadence: plain('1D'),
    ...generate(daily, { rows: 200, season: 7 }),
    horizon: 14,
    models: ['toto'],
  },
  toto_in_ensemble: {
    cadence: plain('1ME'),
    ...generate(monthly, { rows: 72, season: 12 }),
    horizon: 6,
    models: ['ets', 'theta', 'toto'],
  },
};
