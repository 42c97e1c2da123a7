import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { QUEUES } from '../../src/compose/index.ts';
import { readFingerprint } from '../../src/compute/index.ts';
import { buildOpenApi, ERROR_CATALOG } from '../../src/contract/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { METRICS } from '../../src/platform/index.ts';
import { testedKind } from '../support/platform/database.ts';
import { assertResponse, type RecordedResponse, readExpected } from './expected.ts';
import { checkCredentials, checkIdempotencyKey, checkProofs, readDemonstrationKey } from './fixture-checks.ts';
import { FORECASTS, type Forecast, openFixtureClient, recordedForecast } from './fixture-client.ts';
import { FIRST_BUILD, readPacked } from './fixtures.ts';
import { namesOf, storedNames } from './names.ts';
import { type OpenFixture, openFixture } from './open-fixture.ts';

const expected = readExpected(testedKind);
let fixture: OpenFixture;
let client: ReturnType<typeof openFixtureClient>;

before(async () => {
  fixture = await openFixture(FIRST_BUILD, expected, testedKind);
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
  const before = readPacked(FIRST_BUILD, 'names.txt.br').toString('utf8').trim().split('\n');
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
    const recordedBody = isModelList
      ? withCurrentEngine(answer.body ?? '')
      : withNewPermission(withShownScores(answer));
    assertResponse({ ...answer, body: recordedBody }, status, body);
  }
});

const UNSCORED = '{"count":0,"point_count":0,"mae":null,"rmse":null,"smape":null,"average_wql":null,"coverage":{}}';

/** Rows that were not scored had null as metrics. Proofs and history entries keep the null that was stored. */
function withShownScores({ path, body = '' }: RecordedResponse): string {
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
  assert.equal(await checkProofs(fixture, client), 7);
});

test(`keeps the ledger unchanged and balanced [${testedKind}]`, async () => {
  assert.deepEqual(await checkLedger(fixture.database), expected.ledger);
});

test(`accepts the credentials that were issued [${testedKind}]`, async () => {
  if (testedKind === 'pglite') assert.equal(readDemonstrationKey(fixture), expected.demo_key);
  await checkCredentials(fixture, client);
});

test(`recognizes a used idempotency key [${testedKind}]`, () => checkIdempotencyKey(expected, client));

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
