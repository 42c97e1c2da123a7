import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { connectAtOnce, createBigqueryScene } from '../../../../test/support/datasets/bigquery-scene.ts';
import { sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { ProviderError } from '../../../platform/index.ts';
import { createAccessTokens } from './access-token.ts';

async function createTokenScene() {
  const scene = await createBigqueryScene();
  const { account, clock, server } = scene;
  const tokens = createAccessTokens({ account, clock: { now: () => new Date(clock.now) }, connect: connectAtOnce });
  const read = () => tokens.call('read', undefined, async ({ authorization }) => authorization);
  const count = () => server.requests.filter(({ kind }) => kind === 'token').length;
  return { ...scene, tokens, read, count };
}

test('requests a token with an assertion of one hour', async () => {
  await using scene = await createTokenScene();
  assert.equal(await scene.read(), `Bearer ${scene.server.issued()[0]}`);
  const form = new URLSearchParams(String(scene.server.requests[0]?.body));
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const assertion = form.get('assertion') ?? '';
  assert.deepEqual(decodeProtectedHeader(assertion), { alg: 'RS256', typ: 'JWT', kid: scene.account.keyId });
  const seconds = scene.clock.now / 1_000;
  assert.deepEqual(decodeJwt(assertion), {
    iss: scene.account.clientEmail,
    scope: 'https://www.googleapis.com/auth/bigquery.readonly',
    aud: scene.server.tokenUri,
    iat: seconds,
    exp: seconds + 3_600,
  });
});

test('keeps a token until five minutes before it expires', async () => {
  await using scene = await createTokenScene();
  const first = await scene.read();
  scene.clock.now += (3_599 - 300) * 1_000 - 1;
  assert.equal(await scene.read(), first);
  scene.clock.now += 1;
  assert.notEqual(await scene.read(), first);
  assert.equal(scene.count(), 2);
});

test('concurrent callers share one request, also if one of them aborts', async () => {
  await using scene = await createTokenScene();
  const stop = new AbortController();
  const aborted = scene.tokens.call('read', stop.signal, async () => assert.fail('the caller has aborted'));
  const others = Promise.all([scene.read(), scene.read(), scene.read()]);
  const reason = new Error('disconnected');
  stop.abort(reason);
  await assert.rejects(aborted, reason);
  assert.equal(new Set(await others).size, 1);
  assert.equal(scene.count(), 1);
});

test('a caller that has aborted requests no token', async () => {
  await using scene = await createTokenScene();
  const reason = new Error('disconnected');
  const call = scene.tokens.call('read', AbortSignal.abort(reason), async () => assert.fail('the caller has aborted'));
  await assert.rejects(call, reason);
  await scene.tokens.call('cancel', undefined, async () => {});
  assert.equal(scene.count(), 1, 'the request of the other caller');
});

test('a token for canceling is another one', async () => {
  await using scene = await createTokenScene();
  const read = await scene.read();
  const cancel = await scene.tokens.call('cancel', undefined, async ({ authorization }) => authorization);
  assert.notEqual(read, cancel);
  const form = new URLSearchParams(String(scene.server.requests[1]?.body));
  assert.equal(decodeJwt(form.get('assertion') ?? '').scope, 'https://www.googleapis.com/auth/bigquery');
});

test('drops a token that the API does not accept and tries once more', async () => {
  await using scene = await createTokenScene();
  const used: string[] = [];
  const refuse = async ({ authorization }: { readonly authorization: string }) => {
    used.push(authorization);
    throw new ProviderError('bigquery', 'UNAUTHORIZED', 'HTTP 401');
  };
  await assert.rejects(scene.tokens.call('read', undefined, refuse), { fault: 'UNAUTHORIZED' });
  assert.equal(new Set(used).size, 2);
  assert.equal(scene.count(), 2);
  const failed = new ProviderError('bigquery', 'UNAVAILABLE');
  await assert.rejects(
    scene.tokens.call('read', undefined, () => Promise.reject(failed)),
    failed,
  );
  assert.equal(scene.count(), 2, 'other errors do not drop it');
});

test('reads with a new token after the old one was revoked', async () => {
  await using scene = await createTokenScene();
  const { engine, server, clock } = scene;
  assert.ok(await engine.describe('bigquery-public-data.weather.daily'));
  server.revokeTokens();
  clock.now += 60_000;
  assert.ok(await engine.describe('bigquery-public-data.weather.daily'));
  assert.deepEqual(
    server.requests.map(({ kind }) => kind),
    ['token', 'table', 'table', 'token', 'table'],
  );
});

test('reports a rejected assertion as a wrong credential, and requests a token again for the next caller', async () => {
  await using scene = await createTokenScene();
  const statuses = [400, 401, 403, 404];
  for (const status of statuses) {
    scene.server.script.token.push(sendText('{"error":"invalid_grant"}', status));
    await assert.rejects(scene.engine.describe('bigquery-public-data.weather.daily'), {
      code: 'PROVIDER_FAILED',
      message: /^bigquery rejected the credential of this service \((request of a token|HTTP 401)\)\.$/,
    });
  }
  assert.ok(await scene.engine.describe('bigquery-public-data.weather.daily'));
  assert.equal(scene.count(), statuses.length + 1);
});

test('refuses replies that contain no token', async () => {
  await using scene = await createTokenScene();
  const valid = { access_token: 'abc', token_type: 'Bearer', expires_in: 3_599 };
  const replies: unknown[] = [
    null,
    [],
    {},
    { ...valid, access_token: '' },
    { ...valid, access_token: 7 },
    { ...valid, access_token: 'a\nb' },
    { ...valid, access_token: 'é' },
    { ...valid, access_token: 'x'.repeat(8_193) },
    { ...valid, token_type: 'MAC' },
    { ...valid, expires_in: 0 },
    { ...valid, expires_in: '3599' },
    { ...valid, expires_in: 86_401 },
  ];
  for (const reply of replies) {
    scene.server.script.token.push(sendJson(reply));
    await assert.rejects(scene.read(), { name: 'ProviderError', fault: 'MALFORMED' });
  }
  scene.server.script.token.push(sendJson(valid));
  assert.equal(await scene.read(), 'Bearer abc');
});
