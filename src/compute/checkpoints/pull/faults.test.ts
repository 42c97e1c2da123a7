import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ID, openCheckpointScene, PATIENCE, WEIGHTS } from '../../../../test/support/compute/checkpoint-scene.ts';
import {
  answer,
  breakOff,
  type Reply,
  sendFile,
  startCheckpointServer,
  tagOf,
} from '../../../../test/support/compute/checkpoint-server.ts';
import type { CheckpointFault } from '../checkpoint-error.ts';
import { TOTO_2_4M } from '../releases.ts';
import type { PullOptions } from './pull.ts';

const HALF = WEIGHTS.length / 2;
const OTHER = Buffer.from(WEIGHTS).fill(1, 0, 10);
const lengths = (file: Uint8Array) => ({ etag: tagOf(file), 'content-length': file.length });

const part = (start: number, end: number, total: number | string, body: Uint8Array, headers = {}): Reply =>
  answer(206, { etag: tagOf(WEIGHTS), 'content-range': `bytes ${start}-${end}/${total}`, ...headers }, body);

const silence: Reply = () => {};
const stall: Reply = (_request, response) => response.writeHead(200, lengths(WEIGHTS)).write(WEIGHTS.subarray(0, HALF));
const hangUp: Reply = (request) => request.socket.end();
const reset: Reply = (request) => request.socket.resetAndDestroy();

/** What goes wrong, and is got over. */
const MENDED: Readonly<Record<string, { replies: Reply[]; options?: PullOptions; startsOver?: true }>> = {
  'a server that ignores ranges': { replies: [breakOff(WEIGHTS, HALF), answer(200, lengths(WEIGHTS), WEIGHTS)] },
  'two errors of the server': { replies: [answer(500), answer(503)] },
  'too many requests': { replies: [answer(429, { 'retry-after': '1' })] },
  'a reset before the reply': { replies: [reset] },
  'a connection that is closed before the reply': { replies: [hangUp] },
  'a reset within it': { replies: [breakOff(WEIGHTS, 1_000)] },
  'a stall before the reply': { replies: [silence], options: { patience: { ...PATIENCE, stallMs: 300 } } },
  'a stall within it': { replies: [stall], options: { patience: { ...PATIENCE, stallMs: 300 } } },
  'a part from elsewhere in the file': {
    replies: [breakOff(WEIGHTS, HALF), part(0, WEIGHTS.length - 1, WEIGHTS.length, WEIGHTS)],
  },
  'a part without its range': {
    replies: [breakOff(WEIGHTS, HALF), answer(206, lengths(WEIGHTS), WEIGHTS.subarray(HALF))],
  },
  'a part that says more than it holds': {
    replies: [
      breakOff(WEIGHTS, HALF),
      part(HALF, WEIGHTS.length - 1, WEIGHTS.length, WEIGHTS.subarray(HALF, HALF + 9), { 'content-length': 9 }),
    ],
    startsOver: true,
  },
  'a part of a part': {
    replies: [breakOff(WEIGHTS, HALF), part(HALF, HALF + 8, WEIGHTS.length, WEIGHTS.subarray(HALF, HALF + 9))],
  },
  'a file that was changed, noticed by the server': {
    replies: [breakOff(OTHER, HALF), sendFile(WEIGHTS)],
  },
  'a file that was changed, noticed by its tag': {
    replies: [breakOff(OTHER, HALF), part(HALF, WEIGHTS.length - 1, WEIGHTS.length, WEIGHTS.subarray(HALF))],
  },
  'a file that has another size now': {
    replies: [breakOff(WEIGHTS, HALF), part(HALF, WEIGHTS.length, WEIGHTS.length + 1, WEIGHTS.subarray(HALF - 1))],
  },
  'a file that is shorter now': {
    replies: [breakOff(WEIGHTS, HALF), answer(416, { 'content-range': 'bytes */10' })],
  },
  'a length that is not announced': {
    replies: [(_request, response) => response.write(WEIGHTS, () => response.end())],
  },
};

for (const [name, { replies, options, startsOver }] of Object.entries(MENDED)) {
  test(`got over: ${name}`, async () => {
    await using scene = await openCheckpointScene();
    scene.server.script.push(...replies);
    assert.equal((await scene.pull(options)).checkpoint.id, ID);
    assert.deepEqual(scene.leftOvers(), []);
    assert.equal(scene.server.script.length, 0, 'every reply was used');
    if (startsOver) assert.equal(scene.server.asked.at(-1)?.range, undefined);
  });
}

/** What goes wrong and stays wrong. `kept` is the size of the part that is left. */
const REFUSED: Readonly<
  Record<string, { replies: Reply[]; code: CheckpointFault; says: RegExp; kept?: number; options?: PullOptions }>
> = {
  'the hash of another file': {
    replies: [answer(200, lengths(OTHER), OTHER)],
    code: 'HASH_MISMATCH',
    says: /has the sha256 [0-9a-f]{64}, but [0-9a-f]{64} was to come\. The download was removed/,
  },
  'a file that is shorter than it was': {
    replies: [answer(200, lengths(WEIGHTS.subarray(1)), WEIGHTS.subarray(1))],
    code: 'HASH_MISMATCH',
    says: /was to come/,
  },
  'an empty file': { replies: [answer(200, { 'content-length': 0 })], code: 'HASH_MISMATCH', says: /was to come/ },
  'a reply that always breaks off': {
    replies: [breakOff(WEIGHTS, 100), breakOff(WEIGHTS, 100), breakOff(WEIGHTS, 100)],
    code: 'DOWNLOAD_FAILED',
    says: /the reply broke off .*\(tried 3 times; run the same command to go on\)/,
    kept: 100,
  },
  'no such file': { replies: [answer(404)], code: 'DOWNLOAD_REFUSED', says: /the server answers 404/ },
  'no permission': { replies: [answer(403)], code: 'DOWNLOAD_REFUSED', says: /the server answers 403/ },
  'a server that stays broken': {
    replies: [answer(500), answer(502), answer(503)],
    code: 'DOWNLOAD_FAILED',
    says: /the server answers 503 \(tried 3 times/,
  },
  'a part nobody asked for': {
    replies: Array(3).fill(part(0, HALF - 1, WEIGHTS.length, WEIGHTS.subarray(0, HALF))),
    code: 'DOWNLOAD_FAILED',
    says: /a part of what was asked for whole/,
  },
  'a file that is too large by its length': {
    replies: [answer(200, lengths(WEIGHTS), WEIGHTS)],
    code: 'TOO_LARGE',
    says: /has 300000 bytes; a checkpoint has 299999 at most/,
    options: { mostBytes: WEIGHTS.length - 1 },
  },
  'a file that is too large by what comes': {
    replies: [(_request, response) => response.write(WEIGHTS, () => response.end())],
    code: 'TOO_LARGE',
    says: /more than 299999 bytes/,
    options: { mostBytes: WEIGHTS.length - 1 },
  },
  'a reply that is marked as compressed': {
    replies: [answer(200, { 'content-encoding': 'gzip' }, 'x')],
    code: 'DOWNLOAD_FAILED',
    says: /marks the file as compressed \(Content-Encoding\); name a server with --from that sends it as it is\.$/,
  },
};

for (const [name, { replies, code, says, kept, options }] of Object.entries(REFUSED)) {
  test(`refused: ${name}`, async () => {
    await using scene = await openCheckpointScene();
    scene.server.script.push(...replies);
    await assert.rejects(scene.pull(options), { name: 'CheckpointError', code, message: says });
    assert.equal(scene.partSize() ?? 0, kept ?? 0);
    assert.deepEqual(readdirSync(scene.folders.installed), ['.downloads'], 'nothing is installed');
    assert.equal(scene.server.script.length, 0, 'every reply was used');
  });
}

test('a config that is missing, no config or far too long is refused before the weights', async () => {
  for (const [config, code, says] of [
    [undefined, 'DOWNLOAD_REFUSED', /config\.json cannot be downloaded: the server answers 404/],
    ['<html>', 'CONFIG_REFUSED', /^http:.*config\.json cannot be used: .*not a JSON object/],
    ['[1]', 'CONFIG_REFUSED', /not a JSON object/],
    ['null', 'CONFIG_REFUSED', /not a JSON object/],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'CONFIG_REFUSED', /not a JSON object/],
    [`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'CONFIG_REFUSED', /"a" is no plain value/],
    ['{"a":1e999}', 'CONFIG_REFUSED', /"a" is no plain value/],
    [' '.repeat(100_000), 'TOO_LARGE', /config\.json .* has more than 65536 bytes/],
  ] as const) {
    await using scene = await openCheckpointScene();
    if (config === undefined) scene.server.files.delete('config.json');
    else scene.server.files.set('config.json', Buffer.from(config));
    await assert.rejects(scene.pull(), { code, message: says });
    assert.equal(scene.server.asked.length, 0);
  }
});

test('a mirror of the released weights is checked like the original', async () => {
  await using scene = await openCheckpointScene();
  const pull = (config: object) => {
    scene.server.files.set('config.json', Buffer.from(JSON.stringify(config)));
    return scene.pull({}, { sha256: TOTO_2_4M.sha256 });
  };
  await assert.rejects(pull({ ...TOTO_2_4M.config, norm_eps: 1 }), {
    code: 'CONFIG_REFUSED',
    message: /norm_eps is 1/,
  });
  assert.equal(scene.server.asked.length, 0);
  await assert.rejects(pull(TOTO_2_4M.config), {
    code: 'HASH_MISMATCH',
    message: /has 300000 bytes and the release 16582848: it is another file/,
  });
});

test('a server that is not there is named, and not asked for long', async () => {
  await using scene = await openCheckpointScene();
  const gone = await startCheckpointServer(WEIGHTS, '{}');
  await gone[Symbol.asyncDispose]();
  const refusal = { code: 'DOWNLOAD_FAILED', message: /cannot be reached \(ECONNREFUSED\)\.$/ };
  await assert.rejects(scene.pull({}, { from: gone.url }), refusal);
});
