import type { ForecastChart } from '../../../src/charts/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';

export const DAY_MS = 86_400_000;

interface SampleOptions {
  readonly rows: number;
  readonly steps: number;
  readonly levels?: readonly number[];
  readonly start?: number;
  readonly stepMs?: number;
  readonly base?: number;
  /** How many steps have an outcome, and how many of those are replayed. */
  readonly outcome?: number;
  readonly replayed?: number;
}

/** Returns a chart of a random walk with a fan that opens with the square root of the step. */
export function sampleChart({
  rows,
  steps,
  levels = [0.1, 0.5, 0.9],
  start = Date.UTC(2018, 0, 1),
  stepMs = DAY_MS,
  base = 100,
  outcome = 0,
  replayed = 0,
}: SampleOptions): ForecastChart {
  const random = createSeededRandom(7);
  let value = base;
  const values = Float64Array.from({ length: rows }, () => {
    value += base * 0.02 * (random() - 0.48);
    return value;
  });
  const timestamps = Float64Array.from({ length: rows }, (_, i) => start + i * stepMs);
  const predictions = Array.from({ length: steps }, (_, i) => ({
    timestamp: start + (rows + i) * stepMs,
    quantiles: Object.fromEntries(
      levels.map((level) => [String(level), value + base * 0.04 * (level - 0.5) * Math.sqrt(i + 1)]),
    ),
  }));
  return {
    title: 'Sample',
    units: 'USD',
    history: { timestamps, values },
    predictions,
    outcome: predictions.slice(0, outcome).map(({ timestamp }, i) => ({
      timestamp,
      actual: value + base * 0.01 * (random() - 0.5),
      ...(i < replayed ? { replayed: true } : {}),
    })),
  };
}

/** 21 levels, as a forecast may have at most. */
export const MANY_LEVELS: readonly number[] = [0.01, ...Array.from({ length: 19 }, (_, i) => (i + 1) / 20), 0.99];
