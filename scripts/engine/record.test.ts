import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENGINES_FOLDER, HASHES_FILE } from '../../src/compute/engines/engine-bundles.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { changedEngine, type EnginesFolder, writeEngines } from '../../test/support/compute/changed-engine.ts';
import { bundleEngine, checkEngines, recordEngine } from './record.ts';

/** Returns a copy of the recorded engines. */
function copyRecorded(): EnginesFolder {
  const folder = writeEngines({});
  for (const name of readdirSync(ENGINES_FOLDER)) copyFileSync(join(ENGINES_FOLDER, name), join(folder.path, name));
  return folder;
}

test('the sources give the recorded bundle, byte by byte, and recording it again changes nothing', async () => {
  using folder = copyRecorded();
  const file = folder.fileOf(ENGINE_VERSION);
  const recorded = readFileSync(file);
  assert.ok(recorded.equals(await bundleEngine()));
  const bundles = await checkEngines(folder.path);
  assert.ok(bundles.some(({ version }) => version === ENGINE_VERSION));
  assert.equal(await recordEngine(folder.path), false);
  assert.ok(recorded.equals(readFileSync(file)));
});

test('the check fails if a byte of any recorded bundle changes, or a bundle is missing', async () => {
  using folder = copyRecorded();
  const hashes = join(folder.path, HASHES_FILE);
  using others = writeEngines({ 1: changedEngine('1') });
  copyFileSync(others.fileOf('1'), folder.fileOf('1'));
  writeFileSync(hashes, readFileSync(join(others.path, HASHES_FILE), 'utf8') + readFileSync(hashes, 'utf8'));
  assert.equal((await checkEngines(folder.path))[0]?.version, '1');
  for (const version of ['1', ENGINE_VERSION]) {
    const file = folder.fileOf(version);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed[changed.length >> 1] = 255 - (changed[changed.length >> 1] ?? 0);
    writeFileSync(file, changed);
    await assert.rejects(checkEngines(folder.path), { message: new RegExp(`${version}\\.mjs has the sha256`) });
    await assert.rejects(recordEngine(folder.path, 'next'), { message: new RegExp(`${version}\\.mjs has the sha256`) });
    writeFileSync(file, whole);
  }
  await assert.rejects(checkEngines(folder.path, 'next'), { message: /No bundle of engine next is recorded/ });
});

test('a recorded bundle is never overwritten', async () => {
  using folder = writeEngines({ [ENGINE_VERSION]: changedEngine(ENGINE_VERSION) });
  const file = folder.fileOf(ENGINE_VERSION);
  const recorded = readFileSync(file);
  const refusal = { message: /is not overwritten: raise ENGINE_VERSION/ };
  await assert.rejects(recordEngine(folder.path), refusal);
  await assert.rejects(checkEngines(folder.path), refusal);
  assert.ok(recorded.equals(readFileSync(file)));
  // A file without a hash may be all that is left of a recorded one.
  writeFileSync(join(folder.path, HASHES_FILE), '');
  await assert.rejects(recordEngine(folder.path), { message: /exists, but SHA256SUMS does not name it/ });
  assert.ok(recorded.equals(readFileSync(file)));
});

test('engines are listed in the order of their versions', async () => {
  using folder = writeEngines({ 2: changedEngine('2'), 10: changedEngine('10') });
  assert.equal(await recordEngine(folder.path), true);
  assert.deepEqual(
    (await checkEngines(folder.path)).map(({ version }) => version),
    ['2', ENGINE_VERSION, '10'],
  );
});
