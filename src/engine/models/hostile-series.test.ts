import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { prophetRuntime } from '../../../test/support/compute/prophet-runtime.ts';
import { type Hostile, hostileSeries } from '../../../test/support/snapshots/hostile-series.ts';
import { type Model, ModelError } from '../model.ts';
import { createModels } from './catalog.ts';

/** Series per model, by the seeds 1, 2, …; a long run sets more. */
const RUNS = Number(process.env.ALMANAC_HOSTILE_RUNS ?? 40);
/** Prophet is a hundred times slower than the others: it gets a fifth of the series, in a long run all of them. */
const PROPHET_SHARE = process.env.ALMANAC_HOSTILE_RUNS === undefined ? 5 : 1;
const SEEDS = Array.from({ length: RUNS }, (_, i) => i + 1);
/**
 * Seeds of series of the greatest length that a request may have. By default, zeros and a walk with gaps, which
 * take no model longer than a second.
 */
const LONG_SEEDS = process.env.ALMANAC_HOSTILE_RUNS === undefined ? [1, 6] : SEEDS.slice(0, Math.ceil(RUNS / 200));
const QUANTILES = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999];

/** Returns the code of a refusal; otherwise checks that the rows are complete, finite and ascending. */
function checkModel(model: Model, { name, series, horizon }: Hostile): string | null {
  let rows: Float64Array[];
  try {
    rows = model.fit(series, { seed: 1 })(horizon, QUANTILES);
  } catch (error) {
    assert.ok(error instanceof ModelError, `${model.id}, ${name}: ${error instanceof Error ? error.stack : error}`);
    return error.code;
  }
  assert.equal(rows.length, horizon, `${model.id}, ${name}`);
  rows.forEach((row, step) => {
    assert.equal(row.length, QUANTILES.length, `${model.id}, ${name}`);
    for (let i = 0; i < row.length; i++) {
      assert.ok(Number.isFinite(row[i]), `${model.id}, ${name}: ${row[i]} at step ${step + 1}`);
      assert.ok(i === 0 || (row[i] as number) >= (row[i - 1] as number), `${model.id}, ${name}: not ascending, ${row}`);
    }
  });
  return null;
}

/** Checks a model on one series per seed, and reports how often it refused. */
function checkSeeds(t: TestContext, model: Model, seeds: readonly number[], lengths?: readonly number[]): void {
  const refusals: Record<string, number> = {};
  for (const seed of seeds) {
    const code = checkModel(model, hostileSeries(seed, lengths));
    if (code !== null) refusals[code] = (refusals[code] ?? 0) + 1;
  }
  t.diagnostic(`${model.id}, ${seeds.length} series, refused: ${JSON.stringify(refusals)}`);
}

for (const model of createModels({ prophet: prophetRuntime }).values()) {
  const runs = model.id === 'prophet' ? Math.ceil(RUNS / PROPHET_SHARE) : RUNS;
  test(
    `${model.id} gives ordered finite quantiles or a named error for ${runs} hostile series`,
    {
      timeout: Number.POSITIVE_INFINITY,
    },
    (t) => checkSeeds(t, model, SEEDS.slice(0, runs)),
  );
  test(`${model.id} forecasts hostile series of fifty thousand points`, { timeout: Number.POSITIVE_INFINITY }, (t) =>
    checkSeeds(t, model, LONG_SEEDS, [50_000]),
  );
}
