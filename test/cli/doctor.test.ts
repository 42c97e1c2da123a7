import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { describeContent } from '../../src/cli/doctor/check-content.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { inspectDatabase } from '../../src/cli/doctor/inspect-database.ts';
import { createFoundation, MIGRATIONS } from '../../src/compose/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { emptyPostgres, preparedFolder, startService, temporaryFolder } from '../support/cli/service.ts';
import { create, openForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, createDirectly, runAttempt } from '../support/forecasts/run-attempt.ts';
import { startLoopbackMarket } from '../support/market/loopback-market.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { startMailServer } from '../support/platform/mail-server.ts';
import { runAt } from '../support/platform/run-at.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

/** Runs the doctor and returns its exit code and what it found of a check. */
async function examine(environment: Record<string, string>, check: string, ...options: string[]) {
  const { code, stdout, stderr } = await callAlmanac(['doctor', '--json', ...options], environment);
  const report = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  assert.deepEqual([code, report.ok], report.ok ? [0, true] : [1, false]);
  assert.equal(stderr, report.ok ? '' : 'almanac: The doctor found a problem.\n');
  return report.checks.filter((finding) => finding.check === check);
}

/** Checks that one finding of this severity states this, and that it has a next step if it is not fine. */
function assertFound(found: readonly Finding[], status: Finding['status'], message: RegExp, step?: RegExp): void {
  const one = found.find((finding) => message.test(finding.message));
  assert.ok(one, JSON.stringify(found));
  assert.equal(one.status, status);
  if (step === undefined) assert.equal(one.next_step, null);
  else assert.match(one.next_step ?? '', step);
}

/** Starts a server of HTTP whose clock is ahead. */
async function startProxy(aheadMs: number): Promise<{ readonly url: string } & AsyncDisposable> {
  const server: Server = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString()).end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the names and the times of all files. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => `${name} ${statSync(join(folder, String(name))).mtimeMs}`)
    .sort();
}

describe('the doctor', () => {
  test('finds nothing to do before the first start, and creates no folder', async () => {
    const parent = temporaryFolder();
    const { code, stdout, stderr } = await callAlmanac(['doctor'], { ALMANAC_DATA: join(parent, 'data') });
    assert.deepEqual([code, stderr, readdirSync(parent)], [0, '', []]);
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}/).slice(0, 2).join(' ')),
      ['configuration', 'database', 'space', 'files', 'checkpoints', 'mail'].map((check) => `ok ${check}`),
    );
  });

  test('names an invalid setting and stops there, and warns about an unknown one', async () => {
    const invalid = await examine({ PORT: 'x' }, 'configuration');
    assertFound(invalid, 'problem', /^PORT must be a whole number/, /config check/);
    const unknown = await examine({ ALMANAC_DATA: temporaryFolder(), ALMANAC_PORT_: '1' }, 'configuration');
    assertFound(unknown, 'warning', /^ALMANAC_PORT_ is not a setting/, /Remove it|Was/);
  });

  test('checks the files of the embedded database while the service is stopped, and changes none', async () => {
    await using folder = await preparedFolder();
    const before = listFiles(folder.data);
    assertFound(await examine({ ALMANAC_DATA: folder.data }, 'database'), 'ok', /^The files of .* are sound/);
    assert.deepEqual(listFiles(folder.data), before);
    writeFileSync(join(folder.data, 'database/global/pg_control'), 'damaged');
    const damaged = await examine({ ALMANAC_DATA: folder.data }, 'database');
    assertFound(damaged, 'problem', /pg_control is missing or has the wrong size/, /restore a backup/);
  });

  test('asks a running service about its database and, with --online, its providers', async () => {
    await using market = await startLoopbackMarket();
    await using folder = await preparedFolder();
    const settings = { ...market.environment, ALMANAC_MASSIVE_KEY: 'wrong-key-9d7b' };
    await using service = await startService({ data: folder.data, environment: settings });
    const environment = { ...settings, ALMANAC_DATA: folder.data, SITE_URL: service.url };
    assertFound(await examine(environment, 'database'), 'ok', /^The embedded database responds in .* of this build/);
    assertFound(await examine(environment, 'worker'), 'ok', /^A worker was seen/);
    assertFound(await examine(environment, 'queue'), 'ok', /^\d+ jobs wait/);
    assertFound(await examine(environment, 'address'), 'ok', /reaches a service/);
    assertFound(await examine(environment, 'providers'), 'ok', /^Configured: .*massive.* \(not asked now/);
    const asked = await examine(environment, 'providers', '--online');
    assertFound(asked, 'problem', /massive/, /ALMANAC_MASSIVE_KEY/);
    assert.doesNotMatch(JSON.stringify(asked), /wrong-key/);
  });

  test('finds a full disk, open files, a missing and a damaged checkpoint', async () => {
    const data = temporaryFolder();
    const key = join(data, '../', `key-${process.pid}`);
    const secret = join(data, 'massive');
    const environment = {
      ALMANAC_DATA: data,
      ALMANAC_MIN_FREE_MIB: '1048576',
      ALMANAC_TOTO_CHECKPOINT: 'toto-none@000000000000-00000000',
      ALMANAC_CHAIN_URL: 'http://127.0.0.1:9',
      ALMANAC_CHAIN_ID: '1',
      ALMANAC_CHAIN_CONTRACT: `0x${'12'.repeat(20)}`,
      ALMANAC_CHAIN_KEY_FILE: key,
      ALMANAC_MASSIVE_KEY_FILE: secret,
    };
    writeFileSync(key, 'a key');
    chmodSync(key, 0o644);
    writeFileSync(secret, 'a-key');
    chmodSync(secret, 0o644);
    chmodSync(data, 0o755);
    mkdirSync(join(data, 'checkpoints/broken'), { recursive: true });
    writeFileSync(join(data, 'checkpoints/broken/manifest.json'), '{');
    assertFound(await examine(environment, 'space'), 'problem', /needs 1048576 MiB/, /^Free some space/);
    const files = await examine(environment, 'files');
    assertFound(files, 'problem', /can open \/.*key-\d+ \(mode 644\)/, /^chmod 600 /);
    assertFound(files, 'problem', /can open .* \(mode 755\)/, /^chmod 700 /);
    assertFound(files, 'warning', /massive \(mode 644\), which has ALMANAC_MASSIVE_KEY/, /^chmod 600 /);
    const checkpoints = await examine(environment, 'checkpoints');
    assertFound(checkpoints, 'problem', /^toto-none@.* is not there/, /models pull/);
    assertFound(checkpoints, 'warning', /broken is damaged/, /^Remove the folder/);
  });

  test('signs in at the mail server without sending an email', async () => {
    const accepted = 'right';
    await using server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === accepted ? done(null, { user: 'ann' }) : done(new Error('no')),
    });
    const settings = (password: string) => ({
      ALMANAC_DATA: temporaryFolder(),
      ALMANAC_SMTP_URL: server.url(`ann:${password}`),
      ALMANAC_MAIL_FROM: 'almanac@mail.example',
    });
    assertFound(await examine(settings(accepted), 'mail'), 'ok', /replies and accepts the user and the password/);
    assertFound(await examine(settings('wrong'), 'mail'), 'problem', /refuses the user or the password/, /SMTP_URL/);
    const closed = { ...settings(accepted), ALMANAC_SMTP_URL: 'smtp://127.0.0.1:9' };
    assertFound(await examine(closed, 'mail'), 'problem', /127\.0\.0\.1:9 cannot be used/, /^Start it/);
    assert.deepEqual(server.mails, []);
  });

  test('compares the clock with that of the public address', async () => {
    await using late = await startProxy(-20_000);
    await using wrong = await startProxy(3_600_000);
    const settings = (url: string) => ({ ALMANAC_DATA: temporaryFolder(), SITE_URL: url });
    assertFound(await examine(settings(late.url), 'clock'), 'warning', /is (19|20|21) s behind/, /NTP/);
    assertFound(await examine(settings(wrong.url), 'clock'), 'problem', /is 3\d{3} s ahead of/, /NTP/);
    assertFound(await examine(settings('http://127.0.0.1:9'), 'address'), 'warning', /cannot be reached/, /SITE_URL/);
  });

  test('a check that does not end is a problem, and the others are reported', async () => {
    const { runDoctor } = await import('../../src/cli/doctor/run-doctor.ts');
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const settings = { ALMANAC_DATA: temporaryFolder(), SITE_URL: url };
    const { checks } = await runDoctor(settings, { online: false, limitMs: 300 });
    silent.closeAllConnections();
    silent.close();
    assertFound(checks, 'problem', /^This check did not end within 0\.3 s/, /try again/);
    assertFound(checks, 'ok', /are free on the disk/);
  });
});

test(`the doctor finds missing workers, late jobs and late stamps [${testedKind}]`, async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'key'), `0x${'34'.repeat(32)}\n`, { mode: 0o600 });
  const environment = {
    ALMANAC_CHAIN_URL: 'http://127.0.0.1:9',
    ALMANAC_CHAIN_ID: '1',
    ALMANAC_CHAIN_CONTRACT: `0x${'12'.repeat(20)}`,
    ALMANAC_CHAIN_KEY_FILE: join(folder, 'key'),
  };
  await using service = await openForecastService(testedKind, { environment });
  const { database } = service;
  const foundation = createFoundation({ config: loadTestConfig(environment), log: createLog('silent'), database });
  const caller = await service.account('enterprise');
  const forecast = await activateJob(database, await createDirectly(service, caller));
  const result = await computeResult();
  await runAttempt(service, forecast, async () => result);
  await create(caller);
  await sql`UPDATE queue.job SET start_after = now() - interval '1 hour'`.execute(database.query());
  await sql`UPDATE proof SET created_at = now() - interval '3 days'`.execute(database.query());
  const { content } = await inspectDatabase(foundation, { online: false });
  assert.ok(content);
  const found = describeContent(content);
  assertFound(found, 'problem', /^No worker was (ever )?seen/, /^Start the service/);
  assertFound(found, 'problem', /^1 forecasts wait for engine \w+, and no worker has it/, /^Start a worker/);
  assertFound(found, 'problem', /jobs in the queue forecasts has waited for 60 min/, /more workers/);
  assertFound(found, 'warning', /^A proof has waited for its stamp for 3 days/, /AlmanacProofsNotStamped/);
  assertFound(found, 'ok', /^No rotation of a secret is unfinished/);
  const unfinished = describeContent({ ...content, rotations: { earlier: [], webhooks: 2 } });
  assertFound(unfinished, 'warning', /2 of them still have a secret of an earlier key/, /secret rotate webhook EMAIL/);
});

const skip = process.env.TEST_DATABASE_URL === undefined && 'TEST_DATABASE_URL is not set';

describe('the doctor on PostgreSQL', { skip }, () => {
  test('reads an empty database and changes nothing', async () => {
    await using database = await emptyPostgres();
    const environment = { ALMANAC_DATA: temporaryFolder(), DATABASE_URL: database.url };
    assertFound(await examine(environment, 'database'), 'ok', /is empty; the first start creates the tables/);
    assert.deepEqual(await runAt(database.url, "select 1 from pg_tables where schemaname = 'public'"), []);
  });

  test('finds a server that does not reply, and a database that does not exist', async () => {
    await using database = await emptyPostgres();
    const settings = (url: string) => ({ ALMANAC_DATA: temporaryFolder(), DATABASE_URL: url });
    const closed = await examine(settings('postgres://almanac:hunter2@127.0.0.1:9/almanac'), 'database');
    assertFound(closed, 'problem', /./, /DATABASE_URL/);
    const url = new URL(database.url);
    url.pathname = '/absent';
    const absent = await examine(settings(url.href), 'database');
    assertFound(absent, 'problem', /absent/, /DATABASE_URL/);
    assert.doesNotMatch(JSON.stringify([closed, absent]), /hunter2/);
  });

  test('finds older and newer tables and a wrong clock, and migrates nothing', async ({ mock }) => {
    await using fixture = await openTestDatabase('postgres', { migrations: MIGRATIONS, queue: true });
    const { url = '', directUrl = url } = fixture.location;
    const environment = { ALMANAC_DATA: temporaryFolder(), DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl };
    const ledger = sql`SELECT count(*)::int AS n FROM almanac_migrations`;
    assertFound(await examine(environment, 'database'), 'ok', /Its tables are those of this build/);
    assertFound(await examine(environment, 'worker'), 'problem', /^No worker/, /almanac worker/);
    assertFound(await examine(environment, 'clock'), 'ok', /agrees/);
    assertFound(await examine(environment, 'pooler'), 'ok', /reaches a database/);
    const withoutPooler = { ...environment, DATABASE_URL: 'postgres://127.0.0.1:9/almanac' };
    assertFound(await examine(withoutPooler, 'pooler'), 'problem', /DATABASE_URL|127\.0\.0\.1:9/, /^Start the pooler/);

    const now = Date.now.bind(Date);
    const clock = mock.method(Date, 'now', () => now() + 5_000);
    assertFound(await examine(environment, 'clock'), 'warning', /(4\.9|5\.0) s behind/, /NTP/);
    clock.mock.mockImplementation(() => now() - 60_000);
    assertFound(await examine(environment, 'clock'), 'problem', /(59\.9|60\.0) s ahead/, /NTP/);
    clock.mock.restore();

    const query = fixture.database.query();
    await sql`
      DELETE FROM almanac_migrations WHERE (domain, name) IN (
        SELECT domain, max(name) FROM almanac_migrations GROUP BY domain ORDER BY domain LIMIT 1)`.execute(query);
    const before = (await ledger.execute(query)).rows;
    assertFound(await examine(environment, 'database'), 'warning', /1 migrations have not run/, /^Back it up/);
    assert.deepEqual((await ledger.execute(query)).rows, before);
    await sql`INSERT INTO almanac_migrations (domain, name) VALUES ('sea', '001_fish')`.execute(query);
    assertFound(await examine(environment, 'database'), 'problem', /migrated by a newer build/, /restore a backup/);
  });
});

test('config check prints the settings without secrets, and fails if one is invalid', async () => {
  const environment = { DATABASE_URL: 'postgres://ann:hunter2@db.example/almanac', ALMANAC_DATTA: 'x' };
  const sound = await callAlmanac(['config', 'check'], environment);
  assert.equal(sound.code, 0);
  assert.match(
    sound.stdout,
    /^SETTING +VALUE +SOURCE\nDATABASE_URL +postgres:\/\/ann:\[secret\]@db\.example\/almanac +env/,
  );
  assert.match(sound.stdout, /ALMANAC_DATTA +not a setting: ALMANAC_DATA\? /);
  const invalid = await callAlmanac(['config', 'check', '--json'], { ...environment, PORT: 'x' });
  assert.equal(invalid.code, 1);
  assert.equal(invalid.stderr, 'almanac: The settings are not valid.\n');
  assert.partialDeepStrictEqual(JSON.parse(invalid.stdout), {
    ok: false,
    problems: ['PORT must be a whole number from 0 to 65535.'],
    unknown: [{ name: 'ALMANAC_DATTA', nearest: 'ALMANAC_DATA' }],
  });
  assert.doesNotMatch(`${sound.stdout}${invalid.stdout}`, /hunter2/);
});
