import assert from 'node:assert/strict';
import { assertFault } from '../../../test/api/assert-fault.ts';
import { openApi, type TestApi } from '../../../test/support/api/api.ts';
import { makeAccount, PASSWORD, withGuest, withKey, withSession } from '../../../test/support/identity/callers.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';

const MIGRATED = { migrations: MIGRATIONS };
const PROXY = '10.0.0.7';

type Headers = Record<string, string>;

/** Returns how many consecutive requests are allowed before one is refused, at max `max`. */
async function allowedBefore429(
  api: TestApi,
  max: number,
  request: (place: number) => { url?: string; headers?: Headers; remoteAddress?: string },
): Promise<number> {
  for (let place = 0; place < max; place++) {
    const { statusCode } = await api.app.inject({ url: '/api/v1/me/access', ...request(place) });
    if (statusCode === 429) return place;
  }
  return max;
}

forEachDatabase(
  'limits an address without a credential, with headers that count down',
  MIGRATED,
  async ({ database }) => {
    const api = await openApi(database, { ALMANAC_RATE_ANONYMOUS: '5' });
    for (let left = 4; left >= 0; left--) {
      const { statusCode, headers } = await api.app.inject('/api/v1/me/access');
      assert.equal(statusCode, 401);
      assert.equal(headers['ratelimit-limit'], '5');
      assert.equal(headers['ratelimit-remaining'], String(left));
      assert.equal(headers['ratelimit-policy'], '"default";q=5;w=60');
      assert.match(String(headers.ratelimit), new RegExp(`^"default";r=${left};t=([1-9]|[1-5]\\d|60)$`));
      assert.equal('retry-after' in headers, false);
    }
    // All requests of an address share one count.
    for (const [method, url, family] of [
      ['GET', '/api/v1/me/access', 'resource'],
      ['POST', '/api/v1/guest-sessions', 'resource'],
      ['GET', '/api/v1/nothing', 'resource'],
      ['DELETE', '/api/v1/me/access', 'resource'],
      ['GET', '/api/v1/%zz', 'resource'],
      ['GET', '/api/market-data/nothing', 'search'],
      ['GET', '/api/v1/market-search/%zz', 'search'],
    ] as const) {
      const response = await api.app.inject({ method, url });
      assert.match(assertFault(response, 'RATE_LIMITED', family), /^More than 5 requests a minute\./);
      assert.equal(response.headers['retry-after'], response.headers['ratelimit-reset']);
      assert.ok(Number(response.headers['retry-after']) >= 1 && Number(response.headers['retry-after']) <= 60);
      assert.equal(response.headers['ratelimit-remaining'], '0');
    }
    const health = await api.app.inject('/health/live');
    assert.equal(health.statusCode, 200);
    await api.app.close();
  },
);

forEachDatabase('counts an invalid credential against the address', MIGRATED, async ({ database }) => {
  const api = await openApi(database, { ALMANAC_RATE_ANONYMOUS: '5' });
  const account = await makeAccount(api.identity, { password: null });
  const { authorization } = await withKey(api.identity, account.id);
  const wrong = [
    { authorization: 'Bearer nonsense' },
    { authorization: `${authorization}x` },
    { cookie: '__Host-almanac_session=alm_ses_nonsense' },
    {},
  ];
  assert.equal(await allowedBefore429(api, 10, (place) => ({ headers: wrong[place % 4] as Headers })), 5);
  const good = await api.app.inject({ url: '/api/v1/me/access', headers: { authorization } });
  assert.equal(good.statusCode, 200, 'another account at the same address is not affected');
  await api.app.close();
});

forEachDatabase('ignores X-Forwarded-For without a trusted proxy', MIGRATED, async ({ database }) => {
  const api = await openApi(database, { ALMANAC_RATE_ANONYMOUS: '5' });
  const forged = (place: number): Headers => ({
    'x-forwarded-for': `198.51.100.${place}`,
    forwarded: `for=198.51.100.${place}`,
    'x-real-ip': `198.51.100.${place}`,
  });
  assert.equal(await allowedBefore429(api, 10, (place) => ({ headers: forged(place) })), 5);
  await api.app.close();
});

forEachDatabase(
  'counts the client’s own address behind a trusted proxy, which cannot be forged',
  MIGRATED,
  async ({ database }) => {
    const api = await openApi(database, {
      ALMANAC_RATE_ANONYMOUS: '5',
      ALMANAC_TRUSTED_PROXIES: `${PROXY},10.1.0.0/16`,
    });
    const through = (forwarded: (place: number) => string) => (place: number) => ({
      headers: { 'x-forwarded-for': forwarded(place) },
      remoteAddress: PROXY,
    });
    assert.equal(
      await allowedBefore429(
        api,
        10,
        through(() => '198.51.100.1'),
      ),
      5,
    );
    assert.equal(
      await allowedBefore429(
        api,
        10,
        through(() => '198.51.100.2'),
      ),
      5,
      'another client has its own limit',
    );
    const spoofed = through((place) => `203.0.113.${place}, 198.51.100.3`);
    assert.equal(await allowedBefore429(api, 10, spoofed), 5, 'the proxy appends the real address');
    const twoProxies = through((place) => `203.0.113.${place}, 198.51.100.4, 10.1.2.3`);
    assert.equal(await allowedBefore429(api, 10, twoProxies), 5, 'trusted proxies are skipped');
    const notTheProxy = (place: number) => ({
      headers: { 'x-forwarded-for': `198.51.100.${100 + place}` },
      remoteAddress: '192.0.2.66',
    });
    assert.equal(await allowedBefore429(api, 10, notTheProxy), 5, 'only the proxy is trusted');
    // Longer than a key of the table can be, and different each time.
    const junk = through((place) => `${'junk'.repeat(2_000)}${place}`);
    assert.equal(await allowedBefore429(api, 10, junk), 5, 'invalid addresses share one count');
    await api.app.close();
  },
);

forEachDatabase('counts an IPv6 /64 network as one address', MIGRATED, async ({ database }) => {
  const api = await openApi(database, { ALMANAC_RATE_ANONYMOUS: '5' });
  assert.equal(await allowedBefore429(api, 10, (place) => ({ remoteAddress: `2001:db8::1:0:0:${place}` })), 5);
  assert.equal(await allowedBefore429(api, 1, () => ({ remoteAddress: '2001:db8:0:1::1' })), 1);
  await api.app.close();
});

forEachDatabase('applies the limit of the plan to a known caller at any address', MIGRATED, async ({ database }) => {
  const api = await openApi(database, {
    ALMANAC_RATE_ANONYMOUS: '2',
    ALMANAC_RATE_GUEST: '3',
    ALMANAC_RATE_FREE: '4',
    ALMANAC_RATE_PRO: '6',
    ALMANAC_RATE_ENTERPRISE: '8',
  });
  const { identity } = api;
  const anywhere = (place: number) => `192.0.2.${place}`;
  const pro = await makeAccount(identity, { plan: 'pro' });
  const credentials = [
    await withKey(identity, pro.id),
    await withKey(identity, pro.id, ['datasets:read']),
    await withSession(identity, pro.email),
  ];
  const asPro = (place: number) => ({ headers: credentials[place % 3] as Headers, remoteAddress: anywhere(place) });
  assert.equal(await allowedBefore429(api, 20, asPro), 6, 'two keys and a session of one account share one count');

  const otherAccount = await withKey(identity, (await makeAccount(identity, { plan: 'pro', password: null })).id);
  assert.equal(await allowedBefore429(api, 20, () => ({ headers: otherAccount, remoteAddress: anywhere(1) })), 6);
  const enterprise = await withKey(identity, (await makeAccount(identity, { plan: 'enterprise', password: null })).id);
  assert.equal(await allowedBefore429(api, 20, () => ({ headers: enterprise, remoteAddress: anywhere(1) })), 8);
  const free = await makeAccount(identity, { plan: 'free' });
  const session = await withSession(identity, free.email);
  assert.equal(await allowedBefore429(api, 20, () => ({ headers: session, remoteAddress: anywhere(1) })), 4);
  const guest = await withGuest(identity);
  assert.equal(await allowedBefore429(api, 20, (place) => ({ headers: guest, remoteAddress: anywhere(place) })), 3);
  assert.equal(
    await allowedBefore429(api, 20, () => ({ remoteAddress: anywhere(1) })),
    2,
    'and none of that was the address’s',
  );
  await api.app.close();
});

forEachDatabase('limits password attempts for one account per network', MIGRATED, async ({ database }) => {
  const api = await openApi(database);
  const { email } = await makeAccount(api.identity);
  const signIn = (address: string, payload: object) =>
    api.app.inject({ method: 'POST', url: '/api/v1/sessions', remoteAddress: address, payload });
  for (let guess = 0; guess < 10; guess++) {
    const spelling = guess % 2 ? email : email.toUpperCase();
    const wrong = await signIn(`2001:db8:0:7::${guess}`, { email: spelling, password: `wrong ${guess}` });
    assertFault(wrong, 'UNAUTHENTICATED');
  }
  const eleventh = await signIn('2001:db8:0:7::ffff', { email, password: PASSWORD });
  assert.match(assertFault(eleventh, 'RATE_LIMITED'), /password attempts/);
  assert.equal(
    'set-cookie' in eleventh.headers,
    false,
    'the correct password is no longer distinguished from a wrong one',
  );
  const unknown = await signIn('2001:db8:0:7::1', { email: 'unknown@else.example', password: PASSWORD });
  assertFault(unknown, 'UNAUTHENTICATED');
  const elsewhere = await signIn('2001:db8:0:8::1', { email, password: PASSWORD });
  assert.equal(elsewhere.statusCode, 201, 'the owner can still sign in at another address');
  await api.app.close();
});

forEachDatabase('limits the guests of one network together', MIGRATED, async ({ database }) => {
  const api = await openApi(database, { ALMANAC_RATE_GUEST: '1' });
  const newGuest = () => api.app.inject({ method: 'POST', url: '/api/v1/guest-sessions' });
  for (let guest = 0; guest < 30; guest++) assert.equal((await newGuest()).statusCode, 201);
  assert.match(assertFault(await newGuest(), 'RATE_LIMITED', 'resource'), /^Too many new guest sessions/);

  const guests: Headers[] = [];
  for (let guest = 0; guest < 12; guest++) guests.push(await withGuest(api.identity));
  const allowed = await allowedBefore429(api, guests.length, (place) => ({ headers: guests[place] ?? {} }));
  assert.equal(allowed, 10, 'an address has ten times the limit of a guest for all its guests');
  const elsewhere = { headers: guests[11] ?? {}, remoteAddress: '192.0.2.9' };
  assert.equal(await allowedBefore429(api, 1, () => elsewhere), 1);
  await api.app.close();
});

forEachDatabase('counts requests for the documentation against the address', MIGRATED, async ({ database }) => {
  const api = await openApi(database, { ALMANAC_RATE_ANONYMOUS: '3' });
  for (const url of ['/docs', '/docs/json', '/docs/yaml']) {
    assert.equal(await allowedBefore429(api, 1, () => ({ url })), 1, url);
  }
  assert.equal(await allowedBefore429(api, 1, () => ({ url: '/docs/yaml' })), 0);
  await api.app.close();
});
