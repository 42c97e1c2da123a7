import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { type AlmanacProcess, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { assertFails, resultOf } from '../support/cli/command-result.ts';
import { emptyPostgres, startService, temporaryFolder } from '../support/cli/service.ts';
import { runAt } from '../support/platform/run-at.ts';

const skip = process.env.TEST_DATABASE_URL === undefined && 'TEST_DATABASE_URL is not set';

test('services and a worker start together on an empty PostgreSQL', { skip }, async (t) => {
  await using database = await emptyPostgres();
  const databaseUrl = database.url;
  const [one, two, worker] = await Promise.all([
    startService({ databaseUrl }),
    startService({ databaseUrl }),
    startWorker(databaseUrl),
  ]);
  await using first = one;
  await using second = two;
  const beside = { DATABASE_URL: databaseUrl };

  await t.test('run the migrations once', async () => {
    const rows = await runAt(databaseUrl, 'select domain, name from almanac_migrations');
    assert.equal(rows.length, MIGRATIONS.flatMap(({ migrations }) => Object.keys(migrations)).length);
    for (const { stderr } of [first, second, worker]) assert.doesNotMatch(stderr(), /"level":(40|50|60)/);
  });

  await t.test('serve one database', async () => {
    for (const service of [first, second]) {
      for (const key of [first.key, second.key]) {
        assert.equal((await service.fetch('/api/v1/me/access', { key })).status, 200);
      }
    }
    const accounts = await runAt(databaseUrl, 'select email from account');
    assert.deepEqual(accounts, [{ email: 'demo@almanac.local' }]);
  });

  await t.test('leave the database open to commands', async () => {
    assert.deepEqual(await resultOf(beside, 'migrate'), { migrated: true, database: 'postgres' });
    const { id } = await resultOf(beside, 'user', 'create', 'ann@example.org');
    await assertFails(
      beside,
      1,
      /already an account with the address ann@example\.org/,
      'user',
      'create',
      'ann@example.org',
    );
    assert.deepEqual(await resultOf(beside, 'user', 'plan', 'ann@example.org', 'enterprise'), {
      id,
      email: 'ann@example.org',
      plan: 'enterprise',
    });
    const created = await resultOf(beside, 'key', 'create', 'ann@example.org');
    const read = () => second.fetch('/api/v1/me/access', { key: String(created.key) });
    assert.equal((await read()).status, 200);
    await resultOf(beside, 'key', 'revoke', String(created.id));
    assert.equal((await read()).status, 401);
  });

  await t.test('stop independently of each other', async () => {
    assert.equal((await first.stop()).code, 0);
    assert.equal((await second.fetch('/api/v1/me/access')).status, 200);
    worker.child.kill('SIGTERM');
    assert.equal((await worker.ended).code, 0);
    assert.equal((await second.stop()).code, 0);
  });
});

test('a service beyond loopback runs on PostgreSQL without a data folder', { skip }, async () => {
  await using database = await emptyPostgres();
  const data = temporaryFolder();
  rmSync(data, { recursive: true });
  await using service = await startService({
    data,
    databaseUrl: database.url,
    environment: { HOST: '0.0.0.0', SITE_URL: 'https://almanac.example', ALMANAC_TRUSTED_PROXIES: 'loopback' },
  });
  assert.equal(service.key, '');
  assert.equal((await service.stop()).code, 0);
});

async function startWorker(databaseUrl: string): Promise<AlmanacProcess> {
  const worker = spawnAlmanac('src/cli/almanac.ts', ['worker'], { DATABASE_URL: databaseUrl });
  const deadline = performance.now() + 60_000;
  while (!worker.stderr().includes('worker ready')) {
    if (worker.child.exitCode !== null || performance.now() > deadline) throw new Error(worker.stderr());
    await sleep(20);
  }
  return worker;
}
