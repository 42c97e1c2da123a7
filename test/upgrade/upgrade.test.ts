import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { QUEUES } from '../../src/compose/index.ts';
import { readFingerprint } from '../../src/compute/index.ts';
import { buildOpenApi, ERROR_CATALOG } from '../../src/contract/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { METRICS } from '../../src/platform/index.ts';
import { verifyProof } from '../../src/provenance/index.ts';
import { testedKind } from '../support/platform/database.ts';
import { assertResponse, type RecordedResponse, readExpected } from './expected.ts';
import { FORECASTS, type Forecast, type Headers, openFixtureClient, recordedForecast } from './fixture-client.ts';
import { namesOf, storedNames } from './names.ts';
import { type OpenFixture, openFixture, readPacked } from './open-fixture.ts';

const expected = readExpected(testedKind);
let fixture: OpenFixture;
let client: ReturnType<typeof openFixtureClient>;

before(async () => {
  fixture = await openFixture(testedKind);
  client = openFixtureClient(fixture);
});
after(() => fixture?.[Symbol.asyncDispose]());

const recorded = (name: string): Forecast => recordedForecast(expected, name);

test(`keeps every stored and public name [${testedKind}]`, async () => {
  const openapi = buildOpenApi(expected.site_url);
  const names = new Set([
    ...(await storedNames(fixture.database)),
    ...namesOf({ error_codes: ERROR_CATALOG, metrics: METRICS, queues: QUEUES, openapi }),
  ]);
  const before = readPacked('names.txt.br').toString('utf8').trim().split('\n');
  assert.ok(before.includes('migration jobs/0001-forecasts'));
  assert.deepEqual(
    before.filter((name) => !names.has(name)),
    [],
    'names that are missing',
  );
});

test(`returns the recorded response for every stored resource [${testedKind}]`, async () => {
  assert.ok(expected.answers.length > 80);
  for (const answer of expected.answers) {
    const { status, body } = await client.send(client.headersOf(answer.caller), 'GET', answer.path);
    const isModelList = answer.path.startsWith('/v1/forecast/models');
    const recordedBody = isModelList ? withCurrentEngine(answer.body) : withNewPermission(withShownScores(answer));
    assertResponse({ ...answer, body: recordedBody }, status, body);
  }
});

const UNSCORED = '{"count":0,"point_count":0,"mae":null,"rmse":null,"smape":null,"average_wql":null,"coverage":{}}';

/** Rows that were not scored had null as metrics. Proofs and history entries keep the null that was stored. */
function withShownScores({ path, body }: RecordedResponse): string {
  if (path.endsWith('/resolution')) return body.replace('"log_score":null,', '');
  return path.endsWith('/proof') ? body : body.replaceAll('audit_metrics":null', `audit_metrics":${UNSCORED}`);
}

/** Roles that can create forecasts can now also update them. */
function withNewPermission(body: string): string {
  const [create, cancel] = ['"forecast.create"', '"forecast.cancel"'];
  return body.replaceAll(`${create},${cancel}`, `${create},"forecast.update",${cancel}`);
}

/** The list of models describes the service, not stored data. */
function withCurrentEngine(body: string): string {
  const before = expected.fingerprint.engine;
  return body
    .replaceAll(`engine-${before}`, `engine-${readFingerprint([]).engine}`)
    .replaceAll(`"engine":"${before}"`, `"engine":"${readFingerprint([]).engine}"`)
    .replace('"1YE":365', '"1YE":150');
}

test(`verifies every proof against its stored content_cid [${testedKind}]`, async () => {
  const { rows } = await sql<{ id: string; content_cid: string; guest_id: string | null }>`
    SELECT id, content_cid, guest_id FROM forecast WHERE content_cid IS NOT NULL`.execute(fixture.database.query());
  assert.equal(rows.length, 7);
  for (const { id, content_cid, guest_id } of rows) {
    const { body } = await client.send(
      client.headersOf(guest_id === null ? 'ada' : 'guest'),
      'GET',
      `${FORECASTS}/${id}/proof`,
    );
    assert.partialDeepStrictEqual(verifyProof(body), { valid: true, content_cid, unknown_fields: [] }, id);
  }
});

test(`keeps the ledger unchanged and balanced [${testedKind}]`, async () => {
  assert.deepEqual(await checkLedger(fixture.database), expected.ledger);
});

test(`accepts the credentials that were issued [${testedKind}]`, async () => {
  const { account, oauth } = expected;
  const accountIdOf = async (headers: Headers): Promise<string> => {
    const { status, body } = await client.send(headers, 'GET', '/v1/me/access');
    assert.equal(status, 200, body);
    return JSON.parse(body).data.user.id;
  };
  const demoKey =
    testedKind === 'pglite' ? readFileSync(join(fixture.folder, 'demo-api-key'), 'utf8').trim() : expected.demo_key;
  assert.equal(demoKey, expected.demo_key);
  await accountIdOf({ authorization: `Bearer ${demoKey}` });
  for (const caller of ['ada', 'session']) assert.equal(await accountIdOf(client.headersOf(caller)), account.id);
  const { email, password } = account;
  const signedIn = await client.send({ origin: expected.site_url }, 'POST', '/v1/sessions', { email, password });
  assert.equal(signedIn.status, 201, signedIn.body);

  const refresh = async (token: string) => {
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: oauth.client_id, refresh_token: token });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return fixture.app.inject({ method: 'POST', url: '/auth/oauth/token', headers, payload: form.toString() });
  };
  const refreshed = await refresh(oauth.refresh_token);
  assert.equal(refreshed.statusCode, 200, refreshed.body);
  assert.equal(await accountIdOf({ authorization: `Bearer ${refreshed.json().access_token}` }), account.id);
});

test(`recognizes a used idempotency key [${testedKind}]`, async () => {
  const { key, body, forecast_id } = expected.idempotency;
  const headers = { 'idempotency-key': key };
  const again = await client.sendAsOwner<Forecast>('POST', FORECASTS, body, headers);
  assert.equal(again.forecast_id, forecast_id);
  const other = await client.send({ ...client.headersOf('ada'), ...headers }, 'POST', FORECASTS, {
    ...body,
    horizon: 7,
  });
  assert.equal(JSON.parse(other.body).error.code, 'IDEMPOTENCY_MISMATCH');
});

test(`freezes the same rows under the same digest for a repeated request [${testedKind}]`, async () => {
  for (const name of ['from_csv', 'from_bars', 'failed_member', 'completed']) {
    const { request, settings, snapshot } = recorded(name);
    // The earlier build counted a cutoff in days as 24 hours each, so the request names the instant that was stored.
    const cutoff = settings.cutoff !== null && { cutoff: settings.cutoff };
    // The stored request does not contain inline rows.
    const inline = name === 'failed_member' && { source: { type: 'inline', points: THREE_POINTS } };
    const { forecast_id } = await client.sendAsOwner<Forecast>('POST', FORECASTS, { ...request, ...inline, ...cutoff });
    const made = await client.sendAsOwner<Forecast>('GET', `${FORECASTS}/${forecast_id}`);
    // The digest of inline rows includes a keyed mark of their owner, and that key has changed since: only the rows are equal.
    if (inline) assert.partialDeepStrictEqual(made.snapshot, { rows: THREE_POINTS.length }, name);
    else assert.deepEqual(made.snapshot, snapshot, name);
    await client.sendAsOwner('POST', `${FORECASTS}/${forecast_id}/cancel`);
  }
});

const THREE_POINTS = [10, 11, 14].map((value, i) => ({ timestamp: `2024-02-0${i + 1}T00:00:00Z`, value }));

test(`does not reproduce forecasts of an engine without a bundle, and names both versions [${testedKind}]`, async () => {
  const here = readFingerprint([]).engine;
  assert.notEqual(here, expected.fingerprint.engine);
  for (const name of ['completed', 'failed_member', 'by_pinball', 'from_csv', 'from_bars', 'all_failed']) {
    const path = `${FORECASTS}/${recorded(name).forecast_id}/reproduce`;
    const { error } = JSON.parse((await client.send(client.headersOf('ada'), 'POST', path)).body);
    assert.equal(error.code, 'UNPROCESSABLE', name);
    assert.match(error.message, /^CHECKPOINT_UNAVAILABLE: /, name);
    assert.ok(error.message.includes(`engine-${expected.fingerprint.engine} is not available`), error.message);
    assert.ok(error.message.includes(`this service runs engine-${here}.`), error.message);
  }
  const report = await checkLedger(fixture.database);
  assert.ok(isLedgerSound(report), JSON.stringify(report));
});
