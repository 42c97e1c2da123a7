import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { verifyProof } from '../../src/provenance/index.ts';
import type { Expected } from './expected.ts';
import { type FixtureClient, FORECASTS, type Forecast, type Headers } from './fixture-client.ts';
import type { OpenFixture } from './open-fixture.ts';

/** Verifies the proof of every completed forecast against its stored id. Returns how many there are. */
export async function checkProofs({ database }: OpenFixture, client: FixtureClient): Promise<number> {
  const { rows } = await sql<{ id: string; content_cid: string; guest_id: string | null; account_id: string | null }>`
    SELECT id, content_cid, guest_id FROM forecast WHERE content_cid IS NOT NULL`.execute(database.query());
  for (const { id, content_cid, guest_id } of rows) {
    const caller = guest_id === null ? 'ada' : 'guest';
    const { body } = await client.send(client.headersOf(caller), 'GET', `${FORECASTS}/${id}/proof`);
    assert.partialDeepStrictEqual(verifyProof(body), { valid: true, content_cid, unknown_fields: [] }, id);
  }
  return rows.length;
}

/** Returns the key in the data folder, which the service prints at its start. */
export function readDemonstrationKey({ folder }: OpenFixture): string {
  return readFileSync(join(folder, 'demo-api-key'), 'utf8').trim();
}

/** Checks that the keys, the session, the password and the refresh token of the fixture work, the last of them once. */
export async function checkCredentials({ app, expected }: OpenFixture, client: FixtureClient): Promise<void> {
  const { account, oauth, demo_key, site_url } = expected;
  const accountIdOf = async (headers: Headers): Promise<string> => {
    const { status, body } = await client.send(headers, 'GET', '/v1/me/access');
    assert.equal(status, 200, body);
    return JSON.parse(body).data.user.id;
  };
  await accountIdOf({ authorization: `Bearer ${demo_key}` });
  for (const caller of ['ada', 'session']) assert.equal(await accountIdOf(client.headersOf(caller)), account.id);
  const { email, password } = account;
  const signedIn = await client.send({ origin: site_url }, 'POST', '/v1/sessions', { email, password });
  assert.equal(signedIn.status, 201, signedIn.body);

  const { client_id, refresh_token } = oauth;
  const refreshed = await app.inject({
    method: 'POST',
    url: '/auth/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token }).toString(),
  });
  assert.equal(refreshed.statusCode, 200, refreshed.body);
  assert.equal(await accountIdOf({ authorization: `Bearer ${refreshed.json().access_token}` }), account.id);
}

/** Checks that a repeated request with its key gets the same forecast, and another request with this key is refused. */
export async function checkIdempotencyKey({ idempotency }: Expected, client: FixtureClient): Promise<void> {
  const { key, body, forecast_id } = idempotency;
  const headers = { 'idempotency-key': key };
  const again = await client.sendAsOwner<Forecast>('POST', FORECASTS, body, headers);
  assert.equal(again.forecast_id, forecast_id);
  const callerHeaders = { ...client.headersOf('ada'), ...headers };
  const other = await client.send(callerHeaders, 'POST', FORECASTS, { ...body, horizon: 7 });
  assert.equal(JSON.parse(other.body).error.code, 'IDEMPOTENCY_MISMATCH');
}
