import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { QUEUES } from '../../src/compose/index.ts';
import { readFingerprint } from '../../src/compute/index.ts';
import { buildOpenApi, ERROR_CATALOG } from '../../src/contract/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { METRICS } from '../../src/platform/index.ts';
import { verifyProof } from '../../src/provenance/index.ts';
import { testedKind } from '../support/platform/database.ts';
import { askFixture, FORECASTS, type Forecast, type Headers, type Member, recordedForecast } from './ask-fixture.ts';
import { assertAnswered } from './expected.ts';
import { namesOf, storedNames } from './names.ts';
import { openFixture, readPacked } from './open-fixture.ts';

// Opened while the file loads: it sets the clock, and so needs a process of its own.
const fixture = await openFixture(testedKind);
after(() => fixture[Symbol.asyncDispose]());
const { app, database, expected } = fixture;

const { ask, dataOf, reproduce, headersOf } = askFixture(fixture);
const recorded = (name: string): Forecast => recordedForecast(expected, name);

test(`no name that is stored or sent has changed [${testedKind}]`, async () => {
  const openapi = buildOpenApi(expected.site_url);
  const names = new Set([
    ...(await storedNames(database)),
    ...namesOf({ error_codes: ERROR_CATALOG, metrics: METRICS, queues: QUEUES, openapi }),
  ]);
  const before = readPacked('names.txt.br').toString('utf8').trim().split('\n');
  assert.ok(before.includes('migration jobs/0001-forecasts'));
  assert.deepEqual(
    before.filter((name) => !names.has(name)),
    [],
    'these are gone',
  );
});

test(`every stored thing is answered as it was [${testedKind}]`, async () => {
  assert.ok(expected.answers.length > 80);
  for (const answer of expected.answers) {
    const { status, body } = await ask(headersOf(answer.caller), 'GET', answer.path);
    assertAnswered(answer, status, body);
  }
});

test(`every proof verifies against its stored content_cid [${testedKind}]`, async () => {
  const { rows } = await sql<{ id: string; content_cid: string; guest_id: string | null }>`
    SELECT id, content_cid, guest_id FROM forecast WHERE content_cid IS NOT NULL`.execute(database.query());
  assert.equal(rows.length, 7);
  for (const { id, content_cid, guest_id } of rows) {
    const { body } = await ask(headersOf(guest_id === null ? 'ada' : 'guest'), 'GET', `${FORECASTS}/${id}/proof`);
    assert.deepEqual(verifyProof(body), { valid: true, content_cid, problems: [] }, id);
  }
});

test(`the ledger is what it was, and adds up [${testedKind}]`, async () => {
  assert.deepEqual(await checkLedger(database), expected.ledger);
});

test(`credentials that were given out are still good [${testedKind}]`, async () => {
  const { account, oauth } = expected;
  const person = async (headers: Headers): Promise<string> => {
    const { status, body } = await ask(headers, 'GET', '/v1/me/access');
    assert.equal(status, 200, body);
    return JSON.parse(body).data.user.id;
  };
  const demoKey =
    testedKind === 'pglite' ? readFileSync(join(fixture.folder, 'demo-api-key'), 'utf8').trim() : expected.demo_key;
  assert.equal(demoKey, expected.demo_key);
  await person({ authorization: `Bearer ${demoKey}` });
  for (const caller of ['ada', 'session']) assert.equal(await person(headersOf(caller)), account.id);
  const { email, password } = account;
  const signedIn = await ask({ origin: expected.site_url }, 'POST', '/v1/sessions', { email, password });
  assert.equal(signedIn.status, 201, signedIn.body);

  const refresh = async (token: string) => {
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: oauth.client_id, refresh_token: token });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return app.inject({ method: 'POST', url: '/auth/oauth/token', headers, payload: form.toString() });
  };
  const refreshed = await refresh(oauth.refresh_token);
  assert.equal(refreshed.statusCode, 200, refreshed.body);
  assert.equal(await person({ authorization: `Bearer ${refreshed.json().access_token}` }), account.id);
});

test(`an idempotency key that was used is known [${testedKind}]`, async () => {
  const { key, body, forecast_id } = expected.idempotency;
  const headers = { 'idempotency-key': key };
  const again = await dataOf<Forecast>('POST', FORECASTS, body, headers);
  assert.equal(again.forecast_id, forecast_id);
  const other = await ask({ ...headersOf('ada'), ...headers }, 'POST', FORECASTS, { ...body, horizon: 7 });
  assert.equal(JSON.parse(other.body).error.code, 'IDEMPOTENCY_MISMATCH');
});

test(`the same request freezes the same rows under the same digest [${testedKind}]`, async () => {
  for (const name of ['from_csv', 'from_bars', 'failed_member', 'completed']) {
    const { request, snapshot } = recorded(name);
    // Rows that come with a request are not kept in it.
    const inline = name === 'failed_member' && { source: { type: 'inline', points: THREE_POINTS } };
    const { forecast_id } = await dataOf<Forecast>('POST', FORECASTS, { ...request, ...inline });
    const made = await dataOf<Forecast>('GET', `${FORECASTS}/${forecast_id}`);
    // Inline rows carry a mark of their owner, which has had a key of its own since then: the rows are equal, the digest is not.
    if (inline) assert.partialDeepStrictEqual(made.snapshot, { rows: THREE_POINTS.length }, name);
    else assert.deepEqual(made.snapshot, snapshot, name);
    await dataOf('POST', `${FORECASTS}/${forecast_id}/cancel`);
  }
});

const THREE_POINTS = [10, 11, 14].map((value, i) => ({ timestamp: `2024-02-0${i + 1}T00:00:00Z`, value }));

const isRaised = readFingerprint([]).engine !== expected.fingerprint.engine;
const skip = isRaised && 'the engine version was raised, and nothing of the one before can be run again';

test(`a stored forecast that is run again says the same [${testedKind}]`, { skip }, async () => {
  for (const name of ['completed', 'failed_member', 'by_pinball', 'from_csv', 'from_bars', 'all_failed']) {
    const first = recorded(name);
    const here = readFingerprint(first.settings.models);
    const isSame = isDeepStrictEqual(here, first.fingerprint ?? here);
    const again = await reproduce(first.forecast_id);
    assert.deepEqual([again.status, again.error], [first.status, first.error], name);
    assert.deepEqual(again.members?.map(failureOf), first.members?.map(failureOf), name);
    assert.deepEqual(again.snapshot, first.snapshot, name);
    if (first.status === 'failed') assert.equal(again.comparison, null, name);
    else if (isSame) assert.deepEqual(again.comparison, { outcome: 'exact', largest_difference: 0 }, name);
    else assert.match(again.comparison?.outcome ?? '', /^(exact|within_tolerance)$/, name);
  }
  const report = await checkLedger(database);
  assert.ok(isLedgerSound(report) && report.entries > expected.ledger.entries, JSON.stringify(report));
});

function failureOf({ model, status, error }: Member): Member {
  return { model, status, error };
}
