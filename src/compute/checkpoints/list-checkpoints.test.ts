import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONFIG_TEXT, ID, openCheckpointScene, WEIGHTS } from '../../../test/support/compute/checkpoint-scene.ts';
import { defaultCheckpoint, findCheckpoint, listCheckpoints, scanCheckpoints } from './list-checkpoints.ts';
import { toManifest } from './manifest.ts';
import { readCheckpointFiles, verifyCheckpoints } from './read-checkpoint-files.ts';

const at = (text: string) => ({ now: () => new Date(text) });

test('finds no checkpoint without folders', async () => {
  const folders = { installed: '/nowhere/a', bundled: '/nowhere/b' };
  assert.deepEqual(await listCheckpoints(folders), []);
  assert.equal(await defaultCheckpoint(folders, 'toto'), null);
  assert.equal(await findCheckpoint(folders, ID), null);
  assert.deepEqual(await verifyCheckpoints(folders), { ok: true, checkpoints: [] });
});

test('takes the newest installed checkpoint, else the bundled one, unless one is chosen', async () => {
  await using scene = await openCheckpointScene();
  const { folders } = scene;
  const { checkpoint: newer } = await scene.pull({ clock: at('2026-02-01T00:00:00Z') }, { name: 'newer' });
  const { checkpoint: older } = await scene.pull({ clock: at('2026-01-01T00:00:00Z') }, { name: 'older' });
  const { checkpoint: ours } = await scene.pull({ clock: at('2027-01-01T00:00:00Z') }, { name: 'ours' });
  mkdirSync(folders.bundled);
  renameSync(ours.folder, join(folders.bundled, ours.id));
  writeFileSync(join(folders.bundled, 'README.md'), 'a card');

  const listed = await listCheckpoints(folders);
  assert.deepEqual(
    listed.map(({ id, origin }) => [id, origin]),
    [
      [newer.id, 'installed'],
      [older.id, 'installed'],
      [ours.id, 'bundled'],
    ],
  );
  assert.equal((await defaultCheckpoint(folders, 'toto'))?.id, newer.id);
  assert.equal((await defaultCheckpoint(folders, 'toto', { chosenId: ours.id }))?.id, ours.id);
  assert.equal(await defaultCheckpoint(folders, 'toto', { chosenId: ID }), null, 'no other takes its place');
  assert.equal((await findCheckpoint(folders, older.id))?.folder, older.folder);
  const isSound = async ({ id }: { id: string }) => id === ours.id;
  assert.equal((await defaultCheckpoint(folders, 'toto', { isSound }))?.id, ours.id, 'the others are skipped');
  assert.equal(await defaultCheckpoint(folders, 'toto', { isSound, chosenId: newer.id }), null);
  rmSync(newer.folder, { recursive: true });
  rmSync(older.folder, { recursive: true });
  assert.equal((await defaultCheckpoint(folders, 'toto'))?.id, ours.id);
});

test('lists an installed checkpoint once if it is also bundled', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  cpSync(checkpoint.folder, join(scene.folders.bundled, checkpoint.id), { recursive: true });
  assert.deepEqual(
    (await listCheckpoints(scene.folders)).map(({ origin }) => origin),
    ['installed'],
  );
});

test('reads the files as they were pulled', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const { config, weights } = await readCheckpointFiles(checkpoint);
  assert.equal(Buffer.from(config).toString(), CONFIG_TEXT);
  assert.deepEqual(weights, WEIGHTS);
  assert.deepEqual(await verifyCheckpoints(scene.folders, { id: ID, check: (files) => assert.ok(files.weights) }), {
    ok: true,
    checkpoints: [{ id: ID, ok: true, problems: [] }],
  });
});

test('refuses changed files, and verify names them', async () => {
  const flipped = Buffer.from(WEIGHTS);
  flipped[1_000] = 255 - (flipped[1_000] ?? 0);
  const cases: [string, (folder: string) => void, RegExp, 'CHECKPOINT_CORRUPT' | 'CHECKPOINT_UNAVAILABLE'][] = [
    [
      'a changed byte',
      (folder) => writeFileSync(join(folder, 'model.safetensors'), flipped),
      /model\.safetensors of .* sha256 [0-9a-f]{64} instead of/,
      'CHECKPOINT_CORRUPT',
    ],
    [
      'truncated',
      (folder) => truncateSync(join(folder, 'model.safetensors'), 9),
      /it has 9 bytes/,
      'CHECKPOINT_CORRUPT',
    ],
    [
      'a huge file',
      (folder) => truncateSync(join(folder, 'config.json'), 2 ** 33),
      /config\.json .* has 8589934592 bytes/,
      'CHECKPOINT_CORRUPT',
    ],
    [
      'a missing file',
      (folder) => rmSync(join(folder, 'config.json')),
      /config\.json cannot be read: ENOENT/,
      'CHECKPOINT_UNAVAILABLE',
    ],
  ];
  for (const [name, damage, problem, code] of cases) {
    await using scene = await openCheckpointScene();
    const { checkpoint } = await scene.pull();
    damage(checkpoint.folder);
    await assert.rejects(readCheckpointFiles(checkpoint), { code, message: problem }, name);
    const { ok, checkpoints } = await verifyCheckpoints(scene.folders);
    assert.deepEqual([ok, checkpoints[0]?.ok, checkpoints[0]?.problems.length], [false, false, 1], name);
    assert.match(checkpoints[0]?.problems[0] ?? '', problem);
  }
});

test('refuses a config that matches the manifest but not the id', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const config = CONFIG_TEXT.replace('0.0001', '0.0002');
  const { sha256Of } = await import('../../../test/support/compute/checkpoint-server.ts');
  const manifest = { ...toManifest(checkpoint), config_sha256: sha256Of(config) };
  writeFileSync(join(checkpoint.folder, 'config.json'), config);
  writeFileSync(join(checkpoint.folder, 'manifest.json'), JSON.stringify(manifest));
  const [changed] = await listCheckpoints(scene.folders);
  assert.ok(changed);
  await assert.rejects(readCheckpointFiles(changed), { code: 'CHECKPOINT_CORRUPT', message: /does not match the id/ });
});

test('leaves out a checkpoint with an unusable manifest and reports it', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const manifest = toManifest(checkpoint);
  for (const [content, problem] of [
    ['not JSON', /is not valid JSON/],
    ['{}', /the field id is wrong/],
    [JSON.stringify({ ...manifest, model: 'other' }), /the field model is wrong/],
    [JSON.stringify({ ...manifest, sha256: 'x' }), /the field sha256 is wrong/],
    [JSON.stringify({ ...manifest, size: -1 }), /the field size is wrong/],
    [JSON.stringify({ ...manifest, id: '../x' }), /its id is not the name of its folder/],
    [JSON.stringify({ ...manifest, sha256: '0'.repeat(64) }), /its id is not that of its weights/],
    [' '.repeat(70_000), /it is too long/],
  ] as const) {
    writeFileSync(join(checkpoint.folder, 'manifest.json'), content);
    const { checkpoints, broken } = await scanCheckpoints(scene.folders);
    assert.deepEqual([checkpoints.length, broken.length], [0, 1], content.slice(0, 40));
    assert.match(broken[0]?.problem ?? '', problem);
    assert.equal((await verifyCheckpoints(scene.folders)).ok, false);
  }
});

test('names an id that does not exist', async () => {
  await using scene = await openCheckpointScene();
  await assert.rejects(verifyCheckpoints(scene.folders, { id: '../../etc' }), {
    code: 'CHECKPOINT_UNAVAILABLE',
    message: 'No checkpoint has the id "../../etc".',
  });
});
