import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Environment } from '../support/cli/almanac-process.ts';
import { resultOf } from '../support/cli/command-result.ts';
import { emptyPostgres, preparedFolder, temporaryFolder } from '../support/cli/service.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

// The commands are those of docs/operations.md.

test('a copy of the data folder of a stopped service is a backup of the embedded database', async () => {
  await using prepared = await preparedFolder();
  const original = { ALMANAC_DATA: prepared.data };
  await resultOf(original, 'user', 'create', 'ann@example.org', '--verified');
  const key = await resultOf(original, 'key', 'create', 'ann@example.org');
  cpSync(prepared.data, join(folder, 'backup'), { recursive: true });
  await resultOf(original, 'user', 'create', 'later@example.org');
  await assertRestored({ ALMANAC_DATA: join(folder, 'backup') }, key.id);
});

const skip = process.env.TEST_DATABASE_URL ? false : 'TEST_DATABASE_URL is not set';

test('pg_dump and pg_restore back up and restore PostgreSQL', { skip }, async () => {
  await using database = await emptyPostgres();
  await using other = await emptyPostgres();
  const original = { ALMANAC_DATA: join(folder, 'none'), DATABASE_URL: database.url };
  await resultOf(original, 'user', 'create', 'ann@example.org', '--verified');
  const key = await resultOf(original, 'key', 'create', 'ann@example.org');
  const dump = join(folder, 'almanac.dump');
  // The schema belongs to the test's own databases, not to the service.
  execFileSync('pg_dump', ['--format=custom', '--exclude-schema=test_mark', `--file=${dump}`, database.url]);
  await resultOf(original, 'user', 'create', 'later@example.org');
  execFileSync('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${other.url}`, dump]);
  await assertRestored({ ...original, DATABASE_URL: other.url }, key.id);
});

/** Checks that the restored database opens and has what was there at the time of the backup. */
async function assertRestored(environment: Environment, keyId: unknown): Promise<void> {
  assert.equal((await resultOf(environment, 'migrate')).migrated, true);
  const { accounts } = (await resultOf(environment, 'user', 'list')) as { accounts: { email: string }[] };
  assert.deepEqual(
    accounts.map(({ email }) => email),
    ['ann@example.org'],
  );
  const { keys } = (await resultOf(environment, 'key', 'list', 'ann@example.org')) as { keys: { id: string }[] };
  assert.deepEqual(
    keys.map(({ id }) => id),
    [keyId],
  );
}
