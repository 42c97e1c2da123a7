import type { Series } from '../../../src/engine/index.ts';
import { drawNormal } from '../../../src/engine/numerics/distributions.ts';
import { createRandom, type Random } from '../../../src/engine/numerics/random.ts';
import { hourlySeries, monthlySeries } from './series.ts';

/** Shapes that are hard to forecast: each returns the value of one period. */
const SHAPES: Record<string, (t: number, n: number, random: Random) => number> = {
  constant: () => 7,
  zeros: () => 0,
  step: (t, n) => (t < n / 2 ? 1 : 1000),
  levelShifts: (t, n, random) => ([10, -500, 3, 80][Math.floor((4 * t) / n)] as number) + drawNormal(random),
  spike: (t, n) => (t === n >> 1 ? 1e6 : 1),
  lastSpike: (t, n) => (t === n - 1 ? 1e6 : 1),
  intermittent: (_t, _n, random) => (random.uniform() < 0.8 ? 0 : Math.ceil(9 * random.uniform())),
  alternating: (t) => (t % 2 === 0 ? 1 : -1),
  hugeAndSmall: (t) => (t % 2 === 0 ? 1e9 : 1e-9),
  integers: (t, _n, random) => Math.round(20 + t / 10 + 4 * drawNormal(random)),
  walk: (_t, _n, random) => drawNormal(random),
  exponential: (t) => Math.exp(0.5 * t),
  decay: (t) => Math.exp(-0.7 * t),
  line: (t) => 3 * t - 20,
  parabola: (t) => t * t,
  seasonal: (t, _n, random) => 10 + 5 * Math.sin((2 * Math.PI * t) / 12) + 0.1 * drawNormal(random),
  almostConstant: (t) => 1e9 + (t % 3) * 1e-6,
  lastDigits: (_t, _n, random) => 1 + 1e-15 * Math.floor(9 * random.uniform()),
  denormal: (_t, _n, random) => 5e-324 * Math.floor(10 * random.uniform()),
  heavyTails: (_t, _n, random) => 1 / (random.uniform() - 0.5 || 1),
};
const SCALES = [1, 1, 1, 1e-12, 1e-6, 1e6, 1e12, -1, -1e6, 1e150, 1e300, 1e-300];
const LENGTHS = [2, 3, 4, 5, 8, 13, 25, 40, 80, 150, 400];
/** Seasons that are often longer than the series. */
const SEASONS = [1, 1, 4, 7, 12, 24, 52, 168, 365];

export interface Hostile {
  readonly name: string;
  readonly series: Series;
  readonly horizon: number;
}

/** Returns a series that combines hard properties, the same for the same seed. */
export function hostileSeries(seed: number, lengths: readonly number[] = LENGTHS): Hostile {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.uniform() * from.length)] as T;
  const shape = pick(Object.keys(SHAPES));
  const scale = pick(SCALES);
  const n = pick(lengths);
  const values = Float64Array.from({ length: n }, (_, t) => scale * (SHAPES[shape]?.(t, n, random) ?? 0));
  if (shape === 'walk') for (let t = 1; t < n; t++) values[t] = (values[t] as number) + (values[t - 1] as number);
  const gaps = pick([0, 0, 0, 0.1, 0.6]);
  for (let t = 1; t < n - 1; t++) if (random.uniform() < gaps) values[t] = Number.NaN;
  const season = pick(SEASONS);
  const name = `seed ${seed}: ${shape} x ${scale}, ${n} points, ${gaps} missing, season ${season}`;
  return {
    name,
    series: n > 1000 ? hourlySeries(values, season) : monthlySeries(values, season),
    horizon: pick([1, 3, 18, 60]),
  };
}
