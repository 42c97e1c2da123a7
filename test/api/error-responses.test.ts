import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi } from '../support/api/api.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** One request for each error format, with its label in metrics. */
const FORMATS = {
  'the API': { method: 'GET', url: '/api/v1/me/access', operation: 'readAccess', type: 'application/json' },
  'an account page': { method: 'GET', url: '/auth/sign-in', operation: '/auth/sign-in', type: 'text/html' },
  'an OAuth endpoint': {
    method: 'POST',
    url: '/auth/oauth/token',
    operation: '/auth/oauth/token',
    type: 'application/json',
  },
  'a posted authorization request': {
    method: 'POST',
    url: '/auth/oauth/authorize',
    operation: '/auth/oauth/authorize',
    type: 'text/html',
  },
} as const;

/** More requests than any endpoint accepts if the limit is one anonymous request a minute. */
const MAX_REQUESTS = 60;

for (const [name, { method, url, operation, type }] of Object.entries(FORMATS)) {
  test(`${name} sends Retry-After and counts a refusal by a rate limit`, async () => {
    await using telemetry = await openTelemetry({ ALMANAC_METRICS: '127.0.0.1:0' });
    await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
    const { app } = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '1' });
    fixture.cleanup(() => app.close());
    const send = () => app.inject({ method, url, headers: method === 'POST' ? FORM : {} });
    let response = await send();
    for (let sent = 1; response.statusCode !== 429 && sent < MAX_REQUESTS; sent += 1) response = await send();
    assert.equal(response.statusCode, 429, response.body);
    assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/);
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.ok(String(response.headers['content-type']).startsWith(type));
    assert.ok(response.headers['x-request-id']);
    assert.equal((await telemetry.page()).value('almanac_rate_limited_total', { operation }), 1);
  });
}

test('every error format sends 503 with Retry-After while the database is closed', async () => {
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  await app.inject('/api/v1/me/access');
  await fixture.database.close();
  for (const [index, { method, url, type }] of Object.values(FORMATS).entries()) {
    // Each request has its own address, whose limit must be read from the database.
    const remoteAddress = `10.0.0.${index}`;
    const response = await app.inject({ method, url, remoteAddress, headers: method === 'POST' ? FORM : {} });
    assert.equal(response.statusCode, 503, response.body);
    assert.equal(response.headers['retry-after'], '5');
    assert.ok(String(response.headers['content-type']).startsWith(type), url);
  }
  await app.close();
});
