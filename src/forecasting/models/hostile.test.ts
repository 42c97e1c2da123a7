import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prophetRuntime } from '../../../test/support/prophet-runtime.ts';
import { type Model, ModelError } from '../model.ts';
import { drawNormal } from '../numerics/normal.ts';
import { createRandom, type Random } from '../numerics/random.ts';
import type { Series } from '../series.ts';
import { createModels } from './index.ts';

const RUNS = Number(process.env.ALMANAC_HOSTILE_RUNS ?? 200);
/** Prophet is a hundred times slower than the others. */
const PROPHET_SHARE = 10;
const QUANTILES = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999];

/** Shapes that break forecasters: each gives the value of one period. */
const SHAPES: Record<string, (t: number, n: number, random: Random) => number> = {
  constant: () => 7,
  zeros: () => 0,
  step: (t, n) => (t < n / 2 ? 1 : 1000),
  spike: (t, n) => (t === n >> 1 ? 1e6 : 1),
  lastSpike: (t, n) => (t === n - 1 ? 1e6 : 1),
  intermittent: (_t, _n, random) => (random.uniform() < 0.8 ? 0 : Math.ceil(9 * random.uniform())),
  alternating: (t) => (t % 2 === 0 ? 1 : -1),
  walk: (_t, _n, random) => drawNormal(random),
  exponential: (t) => Math.exp(0.5 * t),
  decay: (t) => Math.exp(-0.7 * t),
  line: (t) => 3 * t - 20,
  parabola: (t) => t * t,
  seasonal: (t, _n, random) => 10 + 5 * Math.sin((2 * Math.PI * t) / 12) + 0.1 * drawNormal(random),
  almostConstant: (t) => 1e9 + (t % 3) * 1e-6,
  denormal: (_t, _n, random) => 5e-324 * Math.floor(10 * random.uniform()),
  heavyTails: (_t, _n, random) => 1 / (random.uniform() - 0.5 || 1),
};
const SCALES = [1, 1, 1, 1e-12, 1e12, -1, -1e6, 1e150, 1e300, 1e-300];
const SEASONS = [1, 1, 4, 7, 12, 24, 52];

interface Hostile {
  readonly name: string;
  readonly series: Series;
  readonly horizon: number;
}

function hostileSeries(seed: number): Hostile {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.uniform() * from.length)] as T;
  const shape = pick(Object.keys(SHAPES));
  const scale = pick(SCALES);
  const n = pick([2, 3, 4, 5, 8, 13, 25, 40, 80, 150, 400]);
  const values = Float64Array.from({ length: n }, (_, t) => scale * (SHAPES[shape]?.(t, n, random) ?? 0));
  if (shape === 'walk') for (let t = 1; t < n; t++) values[t] = (values[t] as number) + (values[t - 1] as number);
  const gaps = pick([0, 0, 0, 0.1, 0.6]);
  for (let t = 1; t < n - 1; t++) if (random.uniform() < gaps) values[t] = Number.NaN;
  const season = pick(SEASONS);
  const times = Float64Array.from(values, (_, t) => Date.UTC(2000, t, 1));
  const name = `seed ${seed}: ${shape} x ${scale}, ${n} points, ${gaps} missing, season ${season}`;
  return { name, series: { values, times, season }, horizon: pick([1, 3, 18, 60]) };
}

/** Either a refusal with a name, or rows that are complete, finite and ascending. */
function checkModel(model: Model, { name, series, horizon }: Hostile): void {
  let rows: Float64Array[];
  try {
    rows = model.fit(series, { seed: 1 })(horizon, QUANTILES);
  } catch (error) {
    assert.ok(error instanceof ModelError, `${model.id}, ${name}: ${error instanceof Error ? error.stack : error}`);
    return;
  }
  assert.equal(rows.length, horizon, `${model.id}, ${name}`);
  rows.forEach((row, step) => {
    assert.equal(row.length, QUANTILES.length, `${model.id}, ${name}`);
    for (let i = 0; i < row.length; i++) {
      assert.ok(Number.isFinite(row[i]), `${model.id}, ${name}: ${row[i]} at step ${step + 1}`);
      assert.ok(i === 0 || (row[i] as number) >= (row[i - 1] as number), `${model.id}, ${name}: not ascending, ${row}`);
    }
  });
}

for (const model of createModels({ prophet: prophetRuntime }).values()) {
  const runs = model.id === 'prophet' ? Math.ceil(RUNS / PROPHET_SHARE) : RUNS;
  test(`${model.id} answers ${runs} hostile series with ordered finite quantiles or a named refusal`, {
    timeout: Number.POSITIVE_INFINITY,
  }, () => {
    for (let seed = 1; seed <= runs; seed++) checkModel(model, hostileSeries(seed));
  });
}
