import { drawNormal } from '../../src/engine/numerics/distributions.ts';
import { createRandom, type Random } from '../../src/engine/numerics/random.ts';
import type { WindowSeries } from '../published/read-sets.ts';

const COUNT = 60;
const HORIZON = 48;

/** Simulated hourly series with a day and a week, by the recursions of training/evaluation/held_out/simple.py. */
export function simulatedGroup(): [string, WindowSeries[]] {
  const random = createRandom(20);
  return [
    'simulated by hour',
    Array.from({ length: COUNT }, (_, i) => {
      const values = simulateHours(random, Math.floor(between(random, 700, 1000)));
      return {
        id: `simulated ${i + 1}`,
        group: 'hourly',
        season: 24,
        horizon: HORIZON,
        history: values.subarray(0, -HORIZON),
        actuals: values.subarray(-HORIZON),
        window: 1,
        first: undefined,
      };
    }),
  ];
}

function simulateHours(random: Random, points: number): Float64Array {
  const start = Math.floor(between(random, 0, 168));
  const busyAt = between(random, 9, 19);
  const busyFor = between(random, 2, 5);
  const second = between(random, 0, 0.8);
  const secondAt = between(random, 5, 12);
  const secondFor = between(random, 1, 3);
  const weekend = between(random, 0.3, 1);
  const base = between(random, 0.3, 1.5);
  const memory = between(random, 0.3, 0.95);
  const noise = between(random, 0.02, 0.12) * Math.sqrt(1 - memory ** 2);
  const drift = between(random, 0, 0.004);
  let error = 0;
  let slow = 0;
  return Float64Array.from({ length: points }, (_, t) => {
    const hour = (start + t) % 24;
    const isWeekend = Math.floor((start + t) / 24) % 7 >= 5;
    const busy = bell(hour, busyAt, busyFor) + second * bell(hour, secondAt, secondFor);
    error = memory * error + drawNormal(random);
    slow += drift * drawNormal(random);
    return 200 * (base + busy * (isWeekend ? weekend : 1)) * Math.exp(noise * error + slow);
  });
}

function bell(x: number, middle: number, width: number): number {
  return Math.exp(-0.5 * ((x - middle) / width) ** 2);
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}
