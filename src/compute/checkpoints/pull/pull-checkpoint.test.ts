import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  CONFIG,
  CONFIG_TEXT,
  ID,
  openCheckpointScene,
  SHA256,
  WEIGHTS,
} from '../../../../test/support/compute/checkpoint-scene.ts';
import { breakOff, sendFile, sha256Of, tagOf } from '../../../../test/support/compute/checkpoint-server.ts';
import { parseSource, TOTO_2_4M } from './parse-source.ts';
import { pullCheckpoint } from './pull-checkpoint.ts';

const HALF = WEIGHTS.length / 2;

test('downloads, checks, describes and installs a checkpoint', async () => {
  await using scene = await openCheckpointScene();
  const clock = { now: () => new Date('2026-03-01T10:00:00Z') };
  const { checkpoint, wasInstalled: already } = await scene.pull({ clock });
  const folder = join(scene.folders.installed, ID);
  assert.deepEqual([checkpoint.id, checkpoint.folder, already], [ID, folder, false]);
  assert.deepEqual(readdirSync(folder).sort(), ['config.json', 'manifest.json', 'model.safetensors']);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')), {
    id: ID,
    model: 'toto',
    sha256: SHA256,
    config_sha256: sha256Of(CONFIG_TEXT),
    source: `${scene.server.url}/model.safetensors`,
    licence: null,
    size: WEIGHTS.length,
    installed_at: '2026-03-01T10:00:00.000Z',
  });
  assert.deepEqual(readFileSync(join(folder, 'model.safetensors')), WEIGHTS);
  assert.equal(readFileSync(join(folder, 'config.json'), 'utf8'), CONFIG_TEXT);
  assert.deepEqual(scene.leftOvers(), []);
  assert.equal(statSync(join(folder, 'model.safetensors')).mode & 0o77, 0, 'readable by its owner only');
  const last = scene.events.at(-1);
  assert.ok(last?.kind === 'progress' && last.received === WEIGHTS.length && last.total === WEIGHTS.length);
});

test('accepts the address of the weights', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull({}, { from: `${scene.server.url}/model.safetensors` });
  assert.equal(checkpoint.source, `${scene.server.url}/model.safetensors`);
});

test('verifies an installed checkpoint and does not download it again', async () => {
  await using scene = await openCheckpointScene();
  await scene.pull();
  // The spelling of the config does not matter.
  scene.server.files.set('config.json', Buffer.from(JSON.stringify(JSON.parse(CONFIG_TEXT))));
  assert.deepEqual((await scene.pull()).wasInstalled, true);
  assert.equal(scene.server.requests.length, 1);
});

test('finds an installed release without a request', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const release = { ...TOTO_2_4M, sha256: SHA256, size: WEIGHTS.length, config: CONFIG };
  const nowhere = 'http://127.0.0.1:1/';
  const source = { ...parseSource('toto', { from: nowhere, sha256: SHA256, name: 'tiny' }), release };
  const { wasInstalled: already, checkpoint: found } = await pullCheckpoint(scene.folders, source);
  assert.deepEqual([already, found.id], [true, checkpoint.id]);
});

test('replaces a damaged installation', async () => {
  await using scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const file = join(checkpoint.folder, 'model.safetensors');
  appendFileSync(file, 'x');
  assert.equal((await scene.pull()).wasInstalled, false);
  assert.deepEqual(readFileSync(file), WEIGHTS);
  assert.ok(scene.events.some((event) => event.kind === 'note' && /damaged/.test(event.text)));
  assert.deepEqual(scene.leftOvers(), []);
});

test('resumes an interrupted download, within one pull and in the next', async () => {
  await using scene = await openCheckpointScene();
  const { server } = scene;
  server.script.push(breakOff(WEIGHTS, HALF));
  await scene.pull();
  assert.deepEqual([server.requests[1]?.range, server.requests[1]?.['if-range']], [`bytes=${HALF}-`, tagOf(WEIGHTS)]);

  await using other = await openCheckpointScene();
  other.server.script.push(breakOff(WEIGHTS, HALF));
  const once = { stallMs: 10_000, delaysMs: [] };
  await assert.rejects(other.pull({ retryPolicy: once }), { code: 'DOWNLOAD_FAILED' });
  assert.equal(other.partSize(), HALF);
  await other.pull();
  assert.equal(other.server.requests[1]?.range, `bytes=${HALF}-`);
  assert.deepEqual(other.leftOvers(), []);
});

test('keeps the downloaded bytes when it is stopped', async () => {
  await using scene = await openCheckpointScene();
  const stop = new AbortController();
  scene.server.script.push((_request, response) => {
    response
      .writeHead(200, { etag: tagOf(WEIGHTS), 'content-length': WEIGHTS.length })
      .write(WEIGHTS.subarray(0, HALF));
    setTimeout(() => stop.abort(), 100);
  });
  await assert.rejects(scene.pull({ signal: stop.signal }), {
    code: 'STOPPED',
    message: /Run the same command to resume/,
  });
  assert.equal(scene.partSize(), HALF);
  await scene.pull();
  assert.equal(scene.server.requests[1]?.range, `bytes=${HALF}-`);
});

test('requests nothing if the partial download is complete', async () => {
  await using scene = await openCheckpointScene();
  mkdirSync(dirname(scene.part), { recursive: true });
  writeFileSync(scene.part, WEIGHTS);
  writeFileSync(
    `${scene.part}.json`,
    JSON.stringify({ url: `${scene.server.url}/model.safetensors`, size: WEIGHTS.length }),
  );
  await scene.pull();
  assert.equal(scene.server.requests.length, 0);

  await using unsized = await openCheckpointScene();
  mkdirSync(dirname(unsized.part), { recursive: true });
  writeFileSync(unsized.part, WEIGHTS);
  writeFileSync(`${unsized.part}.json`, JSON.stringify({ url: `${unsized.server.url}/model.safetensors` }));
  await unsized.pull();
  assert.deepEqual(
    unsized.server.requests.map(({ range }) => range),
    [`bytes=${WEIGHTS.length}-`],
    'the server replied 416: there are no more bytes',
  );
});

test('discards a partial download of another file', async () => {
  for (const [part, note, firstRange] of [
    [WEIGHTS.subarray(0, 10), '{"url":"http://elsewhere.example/model.safetensors"}', undefined],
    [WEIGHTS.subarray(0, 10), 'not JSON', undefined],
    [Buffer.alloc(20), '{"url":"HERE","size":10}', undefined],
    [Buffer.alloc(WEIGHTS.length), `{"url":"HERE","size":${WEIGHTS.length}}`, undefined],
    [Buffer.alloc(10), '{"url":"HERE"}', 'bytes=10-'],
    [Buffer.alloc(WEIGHTS.length + 1), '{"url":"HERE"}', `bytes=${WEIGHTS.length + 1}-`],
  ] as const) {
    await using scene = await openCheckpointScene();
    mkdirSync(dirname(scene.part), { recursive: true });
    writeFileSync(scene.part, part);
    writeFileSync(`${scene.part}.json`, note.replace('HERE', `${scene.server.url}/model.safetensors`));
    assert.equal((await scene.pull()).checkpoint.id, ID, note);
    assert.equal(scene.server.requests[0]?.range, firstRange, note);
    assert.deepEqual(scene.leftOvers(), [], note);
  }
});

test('concurrent pulls of the same weights download them once', async () => {
  await using scene = await openCheckpointScene();
  scene.server.script.push((request, response) => void setTimeout(() => sendFile(WEIGHTS)(request, response), 200));
  const pulled = await Promise.all([scene.pull(), scene.pull(), scene.pull()]);
  assert.deepEqual(pulled.map(({ wasInstalled: already }) => already).sort(), [false, true, true]);
  assert.equal(scene.server.requests.length, 1);
  assert.ok(scene.events.some((event) => event.kind === 'note' && /waiting/.test(event.text)));
});

test('installs the same weights with another config as another checkpoint, also under the same name', async () => {
  await using scene = await openCheckpointScene();
  await scene.pull();
  scene.server.files.set('config.json', Buffer.from('{"d_model":32,"norm_eps":0.001,"use_xpos":true}'));
  for (const name of ['tiny', 'other']) {
    const { checkpoint, wasInstalled: already } = await scene.pull({}, { name });
    assert.equal(already, false);
    assert.equal(checkpoint.id.slice(0, -8), ID.slice(0, -8).replace('tiny', name));
    assert.notEqual(checkpoint.id.slice(-8), ID.slice(-8));
    assert.match(readFileSync(join(checkpoint.folder, 'config.json'), 'utf8'), /0\.001/);
  }
  assert.equal((await scene.pull({}, { name: 'tiny' })).wasInstalled, true);
  assert.ok(readdirSync(scene.folders.installed).includes(ID), 'the first one remains');
});

test('does not install files that are not a valid model', async () => {
  await using scene = await openCheckpointScene();
  const check = () => {
    throw new Error('a tensor is missing');
  };
  await assert.rejects(scene.pull({ check }), { code: 'CHECKPOINT_CORRUPT', message: /removed: a tensor is missing/ });
  assert.deepEqual(scene.leftOvers(), []);
  assert.deepEqual(readdirSync(scene.folders.installed), ['.downloads']);
});

test('reports a full disk and a folder that cannot be written to', async () => {
  await using full = await openCheckpointScene();
  mkdirSync(dirname(full.part), { recursive: true });
  symlinkSync('/dev/full', full.part);
  await assert.rejects(full.pull(), { code: 'CANNOT_WRITE', message: /The disk of .* is full/ });
  await using taken = await openCheckpointScene();
  mkdirSync(dirname(taken.folders.installed), { recursive: true });
  writeFileSync(taken.folders.installed, 'a file');
  await assert.rejects(taken.pull(), { code: 'CHECKPOINT_UNAVAILABLE', message: /cannot be read: ENOTDIR/ });
  await using folder = await openCheckpointScene();
  mkdirSync(folder.part, { recursive: true });
  await assert.rejects(folder.pull(), { code: 'CANNOT_WRITE', message: /cannot be written: EISDIR/ });
});
