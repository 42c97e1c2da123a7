import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CHANGED_FACTOR,
  CHANGED_SEASON,
  changedEngine,
  type EnginesFolder,
  writeEngines,
} from '../../../test/support/compute/changed-engine.ts';
import { installGolden } from '../../../test/support/compute/golden-checkpoint.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { canonicalResult, ForecastError } from '../../engine/index.ts';
import { checkpointFolders, type Engine, type EngineBundles, openEngineBundles, startEngine } from '../index.ts';
import { shareEarlierEngines } from './earlier-engines.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-earlier-engines-'));
let folder: EnginesFolder;
let bundles: EngineBundles;
let engine: Engine;
let toto: string;
before(async () => {
  toto = installGolden(dataFolder);
  folder = writeEngines({ 2: changedEngine('2'), 2.5: changedEngine('2.5') });
  writeFileSync(folder.fileOf('2.5'), changedEngine('2'));
  bundles = openEngineBundles({ folder: folder.path });
  engine = await startEngine({ threads: 2, checkpoints: checkpointFolders(dataFolder), engines: bundles });
});
after(async () => {
  await engine?.close();
  folder?.[Symbol.dispose]();
  rmSync(dataFolder, { recursive: true, force: true });
});

const REQUEST = monthlyRequest(36, 6, { models: ['toto', 'theta', 'ets'], weightMode: 'manual' });
const LONG = monthlyRequest(400, 30, { season: 10, models: ['prophet', 'arima', 'ets'] });

test('an earlier engine plans, fits and runs toto itself', async () => {
  const checkpoints = { toto };
  const [present, earlier] = await Promise.all([
    engine.forecast(REQUEST, { checkpoints }),
    engine.forecast(REQUEST, { checkpoints, engine: '2' }),
  ]);
  assert.notEqual(present.season, CHANGED_SEASON);
  assert.equal(earlier.season, CHANGED_SEASON);
  for (const [i, { model, predictions }] of earlier.members.entries()) {
    const values = Object.entries(predictions?.[0]?.quantiles ?? {});
    assert.ok(values.length > 0, model);
    for (const [quantile, value] of values) {
      const other = present.members[i]?.predictions?.[0]?.quantiles[quantile] as number;
      assert.ok(Math.abs(value / other - CHANGED_FACTOR) < 1e-9, `${model} ${quantile}`);
    }
  }
});

test('forecasts of both engines at the same time have the bytes that they have alone', async () => {
  const options = { checkpoints: { toto }, engine: '2' };
  const expected = canonicalResult(await engine.forecast(REQUEST, options));
  const present = canonicalResult(await engine.forecast(REQUEST, { checkpoints: { toto } }));
  const results = await Promise.all([
    engine.forecast(REQUEST, options),
    engine.forecast(REQUEST, { checkpoints: { toto } }),
    engine.forecast(REQUEST, options),
  ]);
  assert.deepEqual(results.map(canonicalResult), [expected, present, expected]);
});

test('a version without a bundle or with a damaged one is refused by name, and no engine runs', async () => {
  const isRefusal = (id: string, reason: RegExp) => (error: unknown) =>
    error instanceof ForecastError &&
    error.code === 'CHECKPOINT_UNAVAILABLE' &&
    error.message.includes(`The checkpoint ${id} cannot be used`) &&
    reason.test(error.message) &&
    !error.message.includes(folder.path);
  await assert.rejects(engine.forecast(REQUEST, { engine: '1' }), isRefusal('engine-1', /not installed/));
  await assert.rejects(engine.forecast(REQUEST, { engine: '2.5' }), isRefusal('engine-2.5', /its files are not/));
  assert.equal(engine.isOpen(), true);
});

test('an abort rejects at once, while the earlier engine starts and while it runs, and it runs the next one', async () => {
  await using fresh = await startFresh();
  for (const delay of [0, 3, 30, 300, 600]) {
    const controller = new AbortController();
    const running = fresh.engine.forecast(LONG, { engine: '2', signal: controller.signal });
    const refused = assert.rejects(running, /Enough/);
    await sleep(delay);
    const started = performance.now();
    controller.abort(new Error('Enough.'));
    await refused;
    assert.ok(performance.now() - started < 1_000);
  }
  const result = await fresh.engine.forecast(REQUEST, { engine: '2', checkpoints: { toto } });
  assert.equal(result.season, CHANGED_SEASON);
});

test('closing the engine rejects what an earlier one runs, and what it is asked later', async () => {
  await using fresh = await startFresh();
  const starting = assert.rejects(fresh.engine.forecast(LONG, { engine: '2' }), /closed/);
  await sleep(20);
  await fresh.engine.close();
  await starting;
  await assert.rejects(fresh.engine.forecast(REQUEST, { engine: '2' }), /closed/);
});

test('an earlier engine is shared, ends when it is idle, and is replaced if its threads have ended', async () => {
  const started: Engine[] = [];
  await using earlier = closing(
    shareEarlierEngines(
      bundles,
      async (bundle) => {
        const one = await startEngine({ threads: 1, engines: bundles }, bundle);
        started.push(one);
        return one;
      },
      50,
    ),
  );
  const request = monthlyRequest(20, 3, { models: ['theta'] });
  const seasonOf = () => earlier.use('2', undefined, async (one) => (await one.forecast(request)).season);
  assert.deepEqual(await Promise.all([seasonOf(), seasonOf()]), [CHANGED_SEASON, CHANGED_SEASON]);
  assert.equal(started.length, 1);
  while (started[0]?.isOpen()) await sleep(20);
  await seasonOf();
  assert.equal(started.length, 2);
  await started[1]?.close();
  assert.equal(await seasonOf(), CHANGED_SEASON);
  assert.equal(started.length, 3);
});

async function startFresh() {
  const own = await startEngine({ threads: 2, checkpoints: checkpointFolders(dataFolder), engines: bundles });
  return { engine: own, [Symbol.asyncDispose]: () => own.close() };
}

function closing<Closable extends { close(): Promise<void> }>(one: Closable): Closable & AsyncDisposable {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() });
}
