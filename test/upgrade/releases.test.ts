import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { checkService, openFoundation } from '../../src/compose/index.ts';
import { readFingerprint } from '../../src/compute/index.ts';
import { checkLedger } from '../../src/forecasts/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { emptyPostgres, temporaryFolder } from '../support/cli/service.ts';
import { waitFor } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { assertResponse, type ReleaseExpected, readReleaseExpected } from './expected.ts';
import { checkCredentials, checkIdempotencyKey, checkProofs, readDemonstrationKey } from './fixture-checks.ts';
import { type FixtureClient, FORECASTS, openFixtureClient } from './fixture-client.ts';
import { type FixtureFolder, listReleaseFixtures } from './fixtures.ts';
import { type OpenFixture, openFixture } from './open-fixture.ts';

for (const folder of listReleaseFixtures()) {
  describe(`the data of ${folder.name} [${testedKind}]`, () => testRelease(folder));
}

function testRelease(folder: FixtureFolder): void {
  let fixture: OpenFixture<ReleaseExpected>;
  let client: FixtureClient;
  let expected: ReleaseExpected;

  before(async () => {
    expected = readReleaseExpected(folder, testedKind);
    fixture = await openFixture(folder, expected, testedKind);
    client = openFixtureClient(fixture);
  });
  after(() => fixture?.[Symbol.asyncDispose]());

  test('every stored resource has the recorded response', async () => {
    assert.equal(expected.build, folder.name);
    assert.ok(expected.answers.length > 250);
    for (const answer of expected.answers) {
      const { status, body } = await client.send(client.headersOf(answer.caller), 'GET', answer.path);
      assertResponse(answer, status, body);
    }
  });

  test('the ledger is unchanged, and nothing is damaged', async () => {
    assert.deepEqual(await checkLedger(fixture.database), expected.ledger);
    const { findings, checked } = await checkService(fixture.database);
    assert.deepEqual(findings, []);
    assert.partialDeepStrictEqual(checked, { ledger: expected.check.checked.ledger });
    // The large file, which only the data folder has.
    if (testedKind === 'pglite') {
      const { rows } = await sql`SELECT position FROM stored_part`.execute(fixture.database.query());
      assert.ok(rows.length >= 2);
    }
  });

  test('every proof verifies against its stored content_cid', async () => {
    const failed = ['all_failed', 'canceled'];
    const completed = Object.keys(expected.forecasts).filter((name) => !failed.includes(name));
    assert.equal(await checkProofs(fixture, client), completed.length);
  });

  test('the credentials that were issued are accepted', async () => {
    if (testedKind === 'pglite') assert.equal(readDemonstrationKey(fixture), expected.demo_key);
    await checkCredentials(fixture, client);
  });

  test('a used idempotency key is recognized', () => checkIdempotencyKey(expected, client));

  test('a forecast is reproduced in the engine that made it', async () => {
    type Reproduced = {
      readonly status: string;
      readonly fingerprint: { readonly engine: string };
      readonly comparison: { readonly outcome: string };
    };
    const path = `${FORECASTS}/${expected.forecasts.fast}/reproduce`;
    const { forecast_id } = await client.sendAsOwner<{ forecast_id: string }>('POST', path);
    const { status, fingerprint, comparison } = await waitFor(
      () => client.sendAsOwner<Reproduced>('GET', `${FORECASTS}/${forecast_id}`),
      (forecast) => forecast.status === 'completed' || forecast.status === 'failed',
    );
    assert.deepEqual([status, fingerprint.engine], ['completed', expected.engine]);
    const { engine: _, ...machine } = expected.fingerprint;
    const { engine: __, ...here } = readFingerprint(['toto']);
    const isSameMachine = JSON.stringify(machine) === JSON.stringify(here);
    assert.ok(comparison.outcome === 'exact' || (!isSameMachine && comparison.outcome === 'within_tolerance'));
  });

  test('its backup is restored', async () => {
    await using open = new AsyncDisposableStack();
    const data = temporaryFolder();
    open.defer(() => rmSync(data, { recursive: true, force: true }));
    const url = testedKind === 'postgres' ? { DATABASE_URL: open.use(await emptyPostgres()).url } : {};
    const environment = { ALMANAC_DATA: data, ...url };
    const files = [join(folder.folder, 'almanac.backup'), '--key-file', join(folder.folder, 'backup.key')];
    const { code, stdout, stderr } = await callAlmanac(['restore', ...files], environment);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).made.build, expected.build);

    const { database } = await openFoundation(loadTestConfig(environment), createLog('silent'));
    open.defer(() => database.close());
    const { findings } = await checkService(database);
    assert.deepEqual(findings, []);
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM forecast`.execute(
      database.query(),
    );
    assert.deepEqual(rows, [{ count: Object.keys(expected.forecasts).length }]);
  });
}
