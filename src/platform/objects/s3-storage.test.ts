import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type ObjectServer, openTestObjects, startObjectServer } from '../../../test/support/platform/object-server.ts';
import { DamagedObjectError } from './object-storage.ts';
import { addressOf } from './s3-storage.ts';

const BYTES = Buffer.from('some bytes');
const CONTENT = { bytes: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') };
const KEY = 'tests/snapshots/one';
const SILENT = {
  name: 'Fault',
  code: 'UNAVAILABLE',
  status: 503,
  message: 'The object storage of the service does not respond. Try again shortly.',
  details: { retryAfter: 5 },
};
const REFUSED = {
  name: 'Fault',
  code: 'UNAVAILABLE',
  message:
    'The object storage refuses the requests of the service. Its operator must check the bucket and the keys (ALMANAC_S3_…).',
};

let server: ObjectServer;

describe('the object storage', () => {
  before(async () => {
    server = await startObjectServer();
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    server.disturb = () => false;
    await openTestObjects(server).put(KEY, BYTES);
    server.requests.length = 0;
  });

  test('stores, reads and deletes an object', async () => {
    const objects = openTestObjects(server);
    assert.deepEqual(server.keys(), [KEY]);
    assert.deepEqual(await objects.get(KEY, CONTENT), BYTES);
    await objects.delete(KEY);
    await objects.delete(KEY);
    assert.equal(await objects.get(KEY, CONTENT), null);
    assert.deepEqual(server.keys(), []);
    assert.equal(server.requests[0], `GET /almanac/${KEY}`);
  });

  test('names the bucket in the path or in the host name', () => {
    const settings = { endpoint: 'https://s3.example:9000', bucket: 'b' };
    assert.equal(addressOf({ ...settings, addressing: 'path' }, 'a/k'), 'https://s3.example:9000/b/a/k');
    assert.equal(addressOf({ ...settings, addressing: 'host' }, 'a/k'), 'https://b.s3.example:9000/a/k');
  });

  test('repeats requests that fail for a moment', async () => {
    for (const method of ['put', 'get', 'delete'] as const) {
      for (const status of [500, 503, 429]) {
        let failures = 3;
        server.disturb = (_request, response) => failures-- > 0 && response.writeHead(status).end('<Error/>');
        const objects = openTestObjects(server);
        if (method === 'put') await objects.put(KEY, BYTES);
        else if (method === 'get') assert.deepEqual(await objects.get(KEY, CONTENT), BYTES);
        else await objects.delete(KEY);
        assert.equal(failures, -1, `${method} after ${status}`);
        if (method === 'delete') await objects.put(KEY, BYTES);
      }
    }
  });

  test('gives up with a fault if the storage stays silent', async () => {
    const warnings: object[] = [];
    const objects = openTestObjects(server, { warnings, attemptMs: 100 });
    for (const disturb of [
      (_request, response) => response.writeHead(503).end(),
      (request) => request.socket.destroy() ?? true,
      // No answer at all.
      () => true,
    ] satisfies ObjectServer['disturb'][]) {
      server.disturb = disturb as ObjectServer['disturb'];
      server.requests.length = 0;
      await assert.rejects(objects.get(KEY, CONTENT), SILENT);
      assert.equal(server.requests.length, 4);
    }
    await assert.rejects(objects.put('tests/two', BYTES), SILENT);
    await assert.rejects(objects.delete(KEY), SILENT);
    assert.deepEqual(warnings[0], { method: 'GET', attempts: 4, reason: 'HTTP 503' });
  });

  test('gives up immediately if the storage asks for a long pause', async () => {
    server.disturb = (_request, response) => response.writeHead(503, { 'retry-after': '60' }).end();
    await assert.rejects(openTestObjects(server).get(KEY, CONTENT), SILENT);
    assert.equal(server.requests.length, 1);
  });

  test('reads again if the bytes are not those that were stored, and then refuses them', async () => {
    const changes: ((body: Buffer) => Buffer)[] = [
      (body) => Buffer.from(body).fill('x', 0, 1),
      (body) => body.subarray(1),
      (body) => Buffer.concat([body, body]),
    ];
    for (const change of changes) {
      let times = 1;
      server.disturb = async (_request, response, answer) => {
        if (times-- <= 0) return false;
        const { status, body } = await answer();
        return response.writeHead(status).end(change(body));
      };
      const objects = openTestObjects(server);
      assert.deepEqual(await objects.get(KEY, CONTENT), BYTES);
      times = 4;
      await assert.rejects(objects.get(KEY, CONTENT), DamagedObjectError);
    }
  });

  test('reads again if the reply ends early', async () => {
    let times = 1;
    server.disturb = async (_request, response, answer) => {
      if (times-- <= 0) return false;
      const { status, body } = await answer();
      response.writeHead(status, { 'content-length': body.length });
      response.write(body.subarray(0, 3), () => response.destroy());
      return true;
    };
    assert.deepEqual(await openTestObjects(server).get(KEY, CONTENT), BYTES);
  });

  test('reports wrong keys and a missing bucket without showing a key', async () => {
    for (const [environment, code] of [
      [{ ALMANAC_S3_SECRET_ACCESS_KEY: 'hunter2' }, 'SignatureDoesNotMatch'],
      [{ ALMANAC_S3_ACCESS_KEY_ID: 'hunter2' }, 'InvalidAccessKeyId'],
      [{ ALMANAC_S3_BUCKET: 'other' }, 'NoSuchBucket'],
    ] as const) {
      const warnings: object[] = [];
      const objects = openTestObjects(server, { environment, warnings });
      await assert.rejects(objects.put(KEY, BYTES), REFUSED);
      await assert.rejects(objects.get(KEY, CONTENT), REFUSED);
      assert.deepEqual(
        warnings.map((warning) => (warning as { code: string }).code),
        [code, code],
      );
      assert.doesNotMatch(JSON.stringify(warnings), /hunter2/);
    }
    assert.equal(server.requests.length, 6, 'refused requests are not repeated');
  });
});
