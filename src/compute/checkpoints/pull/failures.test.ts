import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ID, openCheckpointScene, RETRY_POLICY, WEIGHTS } from '../../../../test/support/compute/checkpoint-scene.ts';
import {
  answer,
  breakOff,
  type Reply,
  sendFile,
  startCheckpointServer,
  tagOf,
} from '../../../../test/support/compute/checkpoint-server.ts';
import type { CheckpointFault } from '../checkpoint.ts';
import { TOTO_2_4M } from './parse-source.ts';
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

/** Failures that a retry overcomes. */
const OVERCOME: Readonly<Record<string, { replies: Reply[]; options?: PullOptions; startsOver?: true }>> = {
  'a server that ignores ranges': { replies: [breakOff(WEIGHTS, HALF), answer(200, lengths(WEIGHTS), WEIGHTS)] },
  'two errors of the server': { replies: [answer(500), answer(503)] },
  'too many requests': { replies: [answer(429, { 'retry-after': '1' })] },
  'a reset before the reply': { replies: [reset] },
  'a connection that is closed before the reply': { replies: [hangUp] },
  'a reset within the reply': { replies: [breakOff(WEIGHTS, 1_000)] },
  'a stall before the reply': { replies: [silence], options: { retryPolicy: { ...RETRY_POLICY, stallMs: 300 } } },
  'a stall within the reply': { replies: [stall], options: { retryPolicy: { ...RETRY_POLICY, stallMs: 300 } } },
  'a part from elsewhere in the file': {
    replies: [breakOff(WEIGHTS, HALF), part(0, WEIGHTS.length - 1, WEIGHTS.length, WEIGHTS)],
  },
  'a part without its range': {
    replies: [breakOff(WEIGHTS, HALF), answer(206, lengths(WEIGHTS), WEIGHTS.subarray(HALF))],
  },
  'a part that announces more than it holds': {
    replies: [
      breakOff(WEIGHTS, HALF),
      part(HALF, WEIGHTS.length - 1, WEIGHTS.length, WEIGHTS.subarray(HALF, HALF + 9), { 'content-length': 9 }),
    ],
    startsOver: true,
  },
  'a part of a part': {
    replies: [breakOff(WEIGHTS, HALF), part(HALF, HALF + 8, WEIGHTS.length, WEIGHTS.subarray(HALF, HALF + 9))],
  },
  'a changed file, detected by the server': {
    replies: [breakOff(OTHER, HALF), sendFile(WEIGHTS)],
  },
  'a changed file, detected by its tag': {
    replies: [breakOff(OTHER, HALF), part(HALF, WEIGHTS.length - 1, WEIGHTS.length, WEIGHTS.subarray(HALF))],
  },
  'a file of another size': {
    replies: [breakOff(WEIGHTS, HALF), part(HALF, WEIGHTS.length, WEIGHTS.length + 1, WEIGHTS.subarray(HALF - 1))],
  },
  'a file that became shorter': {
    replies: [breakOff(WEIGHTS, HALF), answer(416, { 'content-range': 'bytes */10' })],
  },
  'a reply without a length': {
    replies: [(_request, response) => response.write(WEIGHTS, () => response.end())],
  },
};

for (const [name, { replies, options, startsOver }] of Object.entries(OVERCOME)) {
  test(`recovers from ${name}`, async () => {
    await using scene = await openCheckpointScene();
    scene.server.script.push(...replies);
    assert.equal((await scene.pull(options)).checkpoint.id, ID);
    assert.deepEqual(scene.leftOvers(), []);
    assert.equal(scene.server.script.length, 0, 'every reply was used');
    if (startsOver) assert.equal(scene.server.requests.at(-1)?.range, undefined);
  });
}

/** Failures that end the pull. `kept` is the size of the part that remains. */
const REFUSED: Readonly<
  Record<string, { replies: Reply[]; code: CheckpointFault; message: RegExp; kept?: number; options?: PullOptions }>
> = {
  'the hash of another file': {
    replies: [answer(200, lengths(OTHER), OTHER)],
    code: 'HASH_MISMATCH',
    message: /has the sha256 [0-9a-f]{64}, but [0-9a-f]{64} was expected\. The download was removed/,
  },
  'a file that is shorter than it was': {
    replies: [answer(200, lengths(WEIGHTS.subarray(1)), WEIGHTS.subarray(1))],
    code: 'HASH_MISMATCH',
    message: /was expected/,
  },
  'an empty file': { replies: [answer(200, { 'content-length': 0 })], code: 'HASH_MISMATCH', message: /was expected/ },
  'a reply that always breaks off': {
    replies: [breakOff(WEIGHTS, 100), breakOff(WEIGHTS, 100), breakOff(WEIGHTS, 100)],
    code: 'DOWNLOAD_FAILED',
    message: /the reply ended early .*\(after 3 attempts; run the same command to resume\)/,
    kept: 100,
  },
  'no such file': { replies: [answer(404)], code: 'DOWNLOAD_REFUSED', message: /status 404/ },
  'no permission': { replies: [answer(403)], code: 'DOWNLOAD_REFUSED', message: /status 403/ },
  'a server that stays broken': {
    replies: [answer(500), answer(502), answer(503)],
    code: 'DOWNLOAD_FAILED',
    message: /status 503 \(after 3 attempts/,
  },
  'a part that was not requested': {
    replies: Array(3).fill(part(0, HALF - 1, WEIGHTS.length, WEIGHTS.subarray(0, HALF))),
    code: 'DOWNLOAD_FAILED',
    message: /a part although the whole file was requested/,
  },
  'a file that is too large by its length': {
    replies: [answer(200, lengths(WEIGHTS), WEIGHTS)],
    code: 'TOO_LARGE',
    message: /has 300000 bytes; a checkpoint has at most 299999/,
    options: { maxBytes: WEIGHTS.length - 1 },
  },
  'a file that is too large by its bytes': {
    replies: [(_request, response) => response.write(WEIGHTS, () => response.end())],
    code: 'TOO_LARGE',
    message: /more than 299999 bytes/,
    options: { maxBytes: WEIGHTS.length - 1 },
  },
  'a reply that is marked as compressed': {
    replies: [answer(200, { 'content-encoding': 'gzip' }, 'x')],
    code: 'DOWNLOAD_FAILED',
    message: /marks the file as compressed \(Content-Encoding\); use --from with a server that sends it unchanged\.$/,
  },
};

for (const [name, { replies, code, message, kept, options }] of Object.entries(REFUSED)) {
  test(`fails on ${name}`, async () => {
    await using scene = await openCheckpointScene();
    scene.server.script.push(...replies);
    await assert.rejects(scene.pull(options), { name: 'CheckpointError', code, message });
    assert.equal(scene.partSize() ?? 0, kept ?? 0);
    assert.deepEqual(readdirSync(scene.folders.installed), ['.downloads'], 'nothing is installed');
    assert.equal(scene.server.script.length, 0, 'every reply was used');
  });
}

test('refuses a missing, malformed or oversized config before it downloads weights', async () => {
  for (const [config, code, message] of [
    [undefined, 'DOWNLOAD_REFUSED', /config\.json cannot be downloaded: the server replied with status 404/],
    ['<html>', 'CONFIG_REFUSED', /^http:.*config\.json cannot be used: .*not a JSON object/],
    ['[1]', 'CONFIG_REFUSED', /not a JSON object/],
    ['null', 'CONFIG_REFUSED', /not a JSON object/],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'CONFIG_REFUSED', /not a JSON object/],
    [`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'CONFIG_REFUSED', /"a" is not a plain value/],
    ['{"a":1e999}', 'CONFIG_REFUSED', /"a" is not a plain value/],
    [' '.repeat(100_000), 'TOO_LARGE', /config\.json .* has more than 65536 bytes/],
  ] as const) {
    await using scene = await openCheckpointScene();
    if (config === undefined) scene.server.files.delete('config.json');
    else scene.server.files.set('config.json', Buffer.from(config));
    await assert.rejects(scene.pull(), { code, message });
    assert.equal(scene.server.requests.length, 0);
  }
});

test('checks a mirror of the released weights like the original', async () => {
  await using scene = await openCheckpointScene();
  const pull = (config: object) => {
    scene.server.files.set('config.json', Buffer.from(JSON.stringify(config)));
    return scene.pull({}, { sha256: TOTO_2_4M.sha256 });
  };
  await assert.rejects(pull({ ...TOTO_2_4M.config, norm_eps: 1 }), {
    code: 'CONFIG_REFUSED',
    message: /norm_eps is 1/,
  });
  assert.equal(scene.server.requests.length, 0);
  await assert.rejects(pull(TOTO_2_4M.config), {
    code: 'HASH_MISMATCH',
    message: /has 300000 bytes, but the release has 16582848: it is another file/,
  });
});

test('names a server that cannot be reached, without retries', async () => {
  await using scene = await openCheckpointScene();
  const gone = await startCheckpointServer(WEIGHTS, '{}');
  await gone[Symbol.asyncDispose]();
  const refusal = { code: 'DOWNLOAD_FAILED', message: /cannot be reached \(ECONNREFUSED\)\.$/ };
  await assert.rejects(scene.pull({}, { from: gone.url }), refusal);
});
