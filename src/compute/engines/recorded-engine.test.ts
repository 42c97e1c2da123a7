import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { GOLDEN_REQUESTS } from '../../../scripts/golden/requests.ts';
import { changedEngine, writeEngines } from '../../../test/support/compute/changed-engine.ts';
import { installGolden } from '../../../test/support/compute/golden-checkpoint.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { SeriesError } from '../../calendar/index.ts';
import { canonicalResult, ENGINE_VERSION, ForecastError, type ForecastRequest } from '../../engine/index.ts';
import { checkpointFolders, type Engine, openEngineBundles, startEngine } from '../index.ts';
import { loadEngine } from './engine-module.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-recorded-engine-'));
let engine: Engine;
let toto: string;
before(async () => {
  toto = installGolden(dataFolder);
  const engines = openEngineBundles({ present: 'next' });
  engine = await startEngine({ threads: 2, checkpoints: checkpointFolders(dataFolder), engines });
});
after(async () => {
  await engine?.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

const { monthly, daily_with_gaps, yearly_short, pinball, manual, toto: alone, toto_in_ensemble } = GOLDEN_REQUESTS;
const REQUESTS: Readonly<Record<string, ForecastRequest | undefined>> = {
  monthly,
  daily_with_gaps,
  yearly_short,
  pinball,
  manual,
  toto: alone,
  toto_in_ensemble,
  'every model': monthlyRequest(60, 6, {
    season: 10,
    models: ['prophet', 'toto', 'ets', 'theta', 'arima', 'seasonal_naive'],
  }),
  'three rows': monthlyRequest(3, 2, { models: ['prophet', 'ets', 'theta'] }),
};

for (const [name, request] of Object.entries(REQUESTS)) {
  test(`the recorded engine gives the bytes of the sources: ${name}`, async () => {
    assert.ok(request !== undefined);
    const checkpoints = { toto };
    const [first, second] = await Promise.all([
      engine.forecast(request, { checkpoints }),
      engine.forecast(request, { checkpoints, engine: ENGINE_VERSION }),
    ]);
    assert.ok(first.members.some(({ status }) => status !== 'failed'));
    assert.equal(canonicalResult(second), canonicalResult(first));
  });
}

test('errors of the recorded engine keep their class, code and field', async () => {
  const request = monthlyRequest(20, 3, { models: ['theta'] });
  const options = { engine: ENGINE_VERSION };
  await assert.rejects(engine.forecast({ ...request, horizon: 0 }, options), (error) => {
    return error instanceof ForecastError && error.code === 'INVALID_REQUEST' && error.field === 'horizon';
  });
  const values = Array.from(request.values).with(7, Number.NaN);
  await assert.rejects(engine.forecast({ ...request, values }, options), (error) => {
    return error instanceof SeriesError && error.code === 'NON_FINITE' && error.index === 7;
  });
});

test('a bundle is loaded only if its bytes have the recorded hash and hold the version and the names', async () => {
  using folder = writeEngines({
    1: 'export const ENGINE_VERSION = "1";',
    2: changedEngine('2'),
    5: changedEngine('4'),
    6: changedEngine('6'),
  });
  writeFileSync(folder.fileOf('6'), changedEngine('7'));
  const bundles = await openEngineBundles({ folder: folder.path }).list();
  const load = (version: string) => loadEngine(bundles.find((one) => one.version === version));
  assert.equal((await load('2')).ENGINE_VERSION, '2');
  await assert.rejects(load('1'), { code: 'CHECKPOINT_CORRUPT', message: /1\.mjs does not export MODEL_CATALOG/ });
  await assert.rejects(load('5'), { code: 'CHECKPOINT_CORRUPT', message: /5\.mjs holds the engine 4/ });
  await assert.rejects(load('6'), { code: 'CHECKPOINT_CORRUPT', message: /6\.mjs has the sha256 .* instead of/ });
});

test('lists nothing without a list of hashes, and refuses a list that it cannot read', async () => {
  using folder = writeEngines({});
  const bundles = openEngineBundles({ folder: join(folder.path, 'none') });
  assert.deepEqual([await bundles.list(), await bundles.find('3')], [[], null]);
  writeFileSync(join(folder.path, 'SHA256SUMS'), `${'0'.repeat(64)}  ../3.mjs\n`);
  await assert.rejects(openEngineBundles({ folder: folder.path }).list(), { code: 'CHECKPOINT_CORRUPT' });
});
