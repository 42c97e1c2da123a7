import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeEngines } from '../../test/support/compute/changed-engine.ts';
import { goldenWith, installFiles, installGolden } from '../../test/support/compute/golden-checkpoint.ts';
import { openEngineBundles } from './engines/engine-bundles.ts';
import { namedEngine, openModelCheckpoints } from './model-checkpoints.ts';

const TAU = 'transformer.layers.1.attn_tau';
const OLDER = new Date('2026-01-01');
const NEWER = new Date('2026-02-01');

function openScene(toto?: string) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-model-checkpoints-'));
  const folders = { installed: join(dataFolder, 'checkpoints'), bundled: join(dataFolder, 'bundled') };
  const warnings: { checkpoint: string; problem: string }[] = [];
  const log = { warn: (fields: (typeof warnings)[number]) => warnings.push(fields) } as never;
  const checkpoints = openModelCheckpoints(folders, { toto, log });
  return {
    dataFolder,
    folders,
    warnings,
    checkpoints,
    toto: async () => (await checkpoints.current()).get('toto')?.id ?? null,
    [Symbol.dispose]: () => rmSync(dataFolder, { recursive: true, force: true }),
  };
}

const damage = (name: string, damageFile: (file: string) => void) => (dataFolder: string) => {
  const id = installGolden(dataFolder, 'newer', NEWER);
  damageFile(join(dataFolder, 'checkpoints', id, name));
  return id;
};

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length - 5] = 255 - (bytes[bytes.length - 5] ?? 0);
  writeFileSync(file, bytes);
}

function makePipe(file: string): void {
  rmSync(file);
  execFileSync('mkfifo', [file]);
}

/** Ways to damage the newest checkpoint, each with the problem that the log names. */
const DAMAGED: Readonly<Record<string, readonly [(dataFolder: string) => string, RegExp]>> = {
  'a flipped byte': [damage('model.safetensors', flipByte), /has the sha256/],
  'weights that are not numbers': [(to) => installFiles(to, goldenWith(TAU, Number.NaN), 'newer', NEWER), /attn_tau/],
  'weights out of range': [(to) => installFiles(to, goldenWith(TAU, 1e30), 'newer', NEWER), /attn_tau/],
  'no weights': [damage('model.safetensors', rmSync), /model\.safetensors cannot be read: ENOENT/],
  'no config': [damage('config.json', rmSync), /config\.json cannot be read: ENOENT/],
  'a pipe as config': [damage('config.json', makePipe), /it is not a plain file/],
  'a pipe as manifest': [damage('manifest.json', makePipe), /it is not a plain file/],
  'half a manifest': [damage('manifest.json', (file) => writeFileSync(file, '{"id":')), /manifest\.json/],
};

for (const [name, [install, problem]] of Object.entries(DAMAGED)) {
  test(`takes the next newest instead of one with ${name}, and warns once`, async () => {
    using scene = openScene();
    const older = installGolden(scene.dataFolder, 'older', OLDER);
    assert.equal(await scene.toto(), older);
    const newer = install(scene.dataFolder);
    assert.deepEqual(await Promise.all([scene.toto(), scene.toto()]), [older, older]);
    assert.equal(await scene.toto(), older);
    assert.deepEqual(
      scene.warnings.map(({ checkpoint }) => checkpoint),
      [newer],
    );
    assert.match(scene.warnings[0]?.problem ?? '', problem);
    assert.deepEqual(await scene.checkpoints.missing({ toto: newer }), [{ model: 'toto', id: newer }]);
    assert.deepEqual(await scene.checkpoints.missing({ toto: older }), []);
  });
}

test('toto cannot run without a sound checkpoint, other models can, and a repaired checkpoint is used', async () => {
  using scene = openScene();
  const id = installGolden(scene.dataFolder);
  const weights = join(scene.folders.installed, id, 'model.safetensors');
  const whole = readFileSync(weights);
  flipByte(weights);
  const current = await scene.checkpoints.current();
  assert.deepEqual([current.has('toto'), current.has('ets')], [false, true]);
  writeFileSync(weights, whole);
  assert.equal(await scene.toto(), id);
});

test('uses no checkpoint other than the chosen one', async () => {
  using other = openScene();
  const chosen = installGolden(other.dataFolder, 'chosen', OLDER);
  using scene = openScene(chosen);
  installGolden(scene.dataFolder, 'chosen', OLDER);
  installGolden(scene.dataFolder, 'newer', NEWER);
  assert.equal(await scene.toto(), chosen);
  flipByte(join(scene.folders.installed, chosen, 'model.safetensors'));
  assert.equal(await scene.toto(), null);
  assert.equal(scene.warnings.length, 1);
});

test('a folder that cannot be read disables toto and no other model', async () => {
  using scene = openScene();
  mkdirSync(scene.dataFolder, { recursive: true });
  writeFileSync(scene.folders.installed, 'a file');
  assert.equal(await scene.toto(), null);
  assert.ok((await scene.checkpoints.current()).has('ets'));
  assert.match(scene.warnings[0]?.problem ?? '', /ENOTDIR/);
  assert.equal(scene.warnings.length, 1);
});

test('offers models without files only in the version of this engine', async () => {
  using scene = openScene();
  const current = await scene.checkpoints.current();
  const ets = current.get('ets')?.id ?? '';
  assert.deepEqual(await scene.checkpoints.missing({ ets }), []);
  assert.deepEqual(await scene.checkpoints.missing({ ets: 'engine-0', oracle: ets }), [
    { model: 'ets', id: 'engine-0' },
    { model: 'oracle', id: ets },
  ]);
});

test('offers earlier engines whose bundles are intact, and warns once about a damaged one', async () => {
  using folder = writeEngines({ 1: 'one', 2: 'two' });
  writeFileSync(folder.fileOf('2'), 'too');
  const warnings: { engine: string; problem: string }[] = [];
  const log = { warn: (fields: (typeof warnings)[number]) => warnings.push(fields) } as never;
  using scene = openScene();
  const engines = openEngineBundles({ folder: folder.path, present: '9' });
  const checkpoints = openModelCheckpoints(scene.folders, { log, engines });
  assert.equal((await checkpoints.current()).get('ets')?.id, 'engine-9');
  assert.deepEqual(await checkpoints.missing({ ets: 'engine-1', theta: 'engine-9' }), []);
  assert.deepEqual(await checkpoints.missing({ ets: 'engine-2', theta: 'engine-3' }), [
    { model: 'ets', id: 'engine-2', isDamagedEngine: true },
    { model: 'theta', id: 'engine-3' },
  ]);
  await checkpoints.missing({ ets: 'engine-2' });
  assert.deepEqual([warnings.length, warnings[0]?.engine], [1, '2']);
  assert.match(warnings[0]?.problem ?? '', /2\.mjs has the sha256/);
});

test('the engine of a forecast of toto alone is checked as well', async () => {
  using scene = openScene();
  const id = installGolden(scene.dataFolder);
  const { present } = scene.checkpoints.engines;
  assert.deepEqual(await scene.checkpoints.missing({ toto: id }, present), []);
  assert.deepEqual(await scene.checkpoints.missing({ toto: id }, 'gone'), [{ model: 'toto', id: 'engine-gone' }]);
  assert.deepEqual(await scene.checkpoints.missing({ toto: id, ets: 'engine-gone' }, 'gone'), [
    { model: 'ets', id: 'engine-gone' },
  ]);
  assert.deepEqual([namedEngine({ toto: id }, null), namedEngine({ toto: id, ets: 'engine-8' }, '9')], [null, '8']);
});

test('returns the license of each installed checkpoint, and none for other checkpoints', async () => {
  using scene = openScene();
  const stated = installFiles(scene.dataFolder, goldenWith(TAU, 1), 'stated', OLDER, 'Theirs-1.0');
  const unstated = installFiles(scene.dataFolder, goldenWith(TAU, 2), 'unstated', NEWER, null);
  const licenses = async (needed: Record<string, string>) =>
    Object.fromEntries(await scene.checkpoints.licenses(needed));
  assert.deepEqual(await licenses({ toto: stated, ets: 'engine-0' }), { toto: 'Theirs-1.0', ets: 'Apache-2.0' });
  assert.deepEqual(await licenses({ toto: unstated }), { toto: null });
  assert.deepEqual(await licenses({ toto: 'toto-gone@000000000000-00000000' }), {});
});
