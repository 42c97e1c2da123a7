import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { hashSecret, newSecret } from '../../src/identity/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import { FEEDS, readFeed } from '../support/feeds/feed-scene.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { countStatements } from '../support/platform/counted-database.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { tablesContaining } from '../support/platform/rows.ts';

/** Requests a minute. A read counts as two. */
const PER_ADDRESS = 40;
const PER_ACCOUNT = 20;

let fixture: TestDatabase;
let api: TestApi;
let statements: () => number;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const counted = countStatements(fixture.database);
  statements = counted.statements;
  const rates = { ALMANAC_RATE_ANONYMOUS: String(PER_ADDRESS), ALMANAC_RATE_PRO: String(PER_ACCOUNT) };
  api = await openApi(counted.database, { ...rates, ALMANAC_LOG_LEVEL: 'trace' });
});
after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function ownedFeed() {
  const { id: accountId } = await makeAccount(api.identity, { password: null });
  return { accountId, ...(await makeFeed(api.identity, accountId)) };
}

const REQUEST_ID = { 'x-request-id': '0190163d-8694-739b-aea5-966c26f8ad91' };

test('gives every token that is not valid the same response', async () => {
  const { accountId, id, token } = await ownedFeed();
  const key = await withKey(api.identity, accountId);
  assert.equal((await requestAs(api.app, key)('DELETE', `${FEEDS}/${id}`)).status, 200);
  const apiKey = key.authorization.replace('Bearer ', '');
  const invalid = [
    token,
    newSecret('alm_fed_'),
    apiKey,
    id,
    token.slice(0, -1),
    `${token}x`,
    token.toLowerCase(),
    'alm_fed_',
    '%00',
    '%F0%9F%92%A9',
    'x'.repeat(2_000),
    "'%20OR%20''='",
    '..%2f..%2fme',
  ];
  const responses: object[] = [];
  for (const [index, one] of invalid.entries()) {
    const remoteAddress = `198.51.100.${index}`;
    const { statusCode, body, headers } = await readFeed(api.app, one, { remoteAddress, headers: REQUEST_ID });
    responses.push({ statusCode, body, type: headers['content-type'], left: headers['ratelimit-remaining'] });
  }
  assert.deepEqual(new Set(responses.map((response) => JSON.stringify(response))).size, 1, JSON.stringify(responses));
  assert.partialDeepStrictEqual(responses[0], { statusCode: 404, left: String(PER_ADDRESS - 2) });
});

test('a thousand guesses find nothing and cost at most the limit of the address', async () => {
  const { token } = await ownedFeed();
  const remoteAddress = '203.0.113.7';
  assert.equal((await readFeed(api.app, token, { remoteAddress })).statusCode, 200);
  const before = statements();
  const answers: Record<number, number> = {};
  for (let guess = 0; guess < 1_000; guess++) {
    // Every other guess has a correct checksum, so that only the database can refuse it.
    const guessed = guess % 2 ? newSecret('alm_fed_') : `${token.slice(0, -6)}${String(guess).padStart(6, '0')}`;
    const { statusCode } = await readFeed(api.app, guessed, { remoteAddress });
    answers[statusCode] = (answers[statusCode] ?? 0) + 1;
  }
  assert.deepEqual(Object.keys(answers), ['404', '429']);
  assert.ok((answers[404] ?? 0) <= PER_ADDRESS / 2, JSON.stringify(answers));
  const cost = statements() - before;
  assert.ok(cost <= 4 * PER_ADDRESS, `${cost} statements for a thousand guesses`);

  const known = await readFeed(api.app, token, { remoteAddress });
  assert.equal(known.statusCode, 200, 'the feed itself counts for its owner and not for the address');
});

test('counts a read for the owner at any address, together with other requests of the account', async () => {
  const { accountId, token } = await ownedFeed();
  const key = requestAs(api.app, await withKey(api.identity, accountId));
  for (let read = 0; read < 4; read++) {
    const { headers } = await readFeed(api.app, token, { remoteAddress: `192.0.2.${read}` });
    const shown = Object.keys(headers).filter((name) => name.startsWith('ratelimit'));
    assert.deepEqual(shown, [], 'a reader does not learn the limit of the owner');
  }
  assert.equal((await key('GET', FEEDS)).headers['ratelimit-remaining'], '11');
  for (let read = 0; read < 5; read++) await readFeed(api.app, token);
  const refused = await readFeed(api.app, token, { remoteAddress: '192.0.2.200' });
  assert.equal(refused.statusCode, 429);
  assert.match(refused.body, /20 requests a minute/);
});

test('stores only the hash of a token and logs no part of it', async () => {
  const { accountId, id, token } = await ownedFeed();
  const key = await withKey(api.identity, accountId);
  const created = await requestAs(api.app, key)<{ url: string }>('POST', FEEDS, {
    kind: 'history',
    request: { symbol: 'AAPL', timeframe: '1D' },
  });
  const second = created.data.url.split('/').at(-1) ?? '';
  assert.equal(created.status, 201);
  const bare = token.slice('alm_fed_'.length);
  for (const [method, path, headers] of [
    ['GET', token, {}],
    ['HEAD', token, {}],
    ['GET', second, {}],
    ['GET', `${token}?token=${token}`, {}],
    ['GET', token.replaceAll('_', '%5F'), {}],
    ['GET', token.slice(0, 30), {}],
    ['GET', bare.slice(0, 30), {}],
    ['GET', `${token}/${token}`, {}],
    ['GET', `${token}/%zz`, {}],
    ['DELETE', token, key],
    ['DELETE', `${token}x`, {}],
    ['POST', token, key],
    ['OPTIONS', token, {}],
  ] as const) {
    await api.app.inject({ method, url: `/api${FEEDS}/${path}`, headers, remoteAddress: '198.51.100.200' });
  }
  await requestAs(api.app, key)('DELETE', `${FEEDS}/${id}`);
  await readFeed(api.app, token, { remoteAddress: '198.51.100.201' });
  const log = api.logged();
  assert.match(log, /"path":"\/api\/v1\/feeds\/\{feed\}"/);
  assert.match(log, new RegExp(`"path":"/api/v1/feeds/${id}"`), 'the id of a feed is not secret');
  for (const secret of [token, second, bare, bare.slice(0, 20), second.slice(8, 28), hashSecret(token)]) {
    assert.equal(log.includes(secret), false, `the log contains ${secret}`);
    if (secret !== hashSecret(token)) assert.deepEqual(await tablesContaining(fixture.database, secret), []);
  }
  assert.deepEqual(await tablesContaining(fixture.database, hashSecret(second)), ['public.feed']);
});
