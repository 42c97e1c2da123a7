import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import { IncompatibleFolderError } from './errors.ts';
import { openDatabase } from './open-database.ts';
import { locatePgliteFiles, PGLITE_POSTGRES_MAJOR } from './pglite-files.ts';

// test/cli/start-and-stop.test.ts kills a first start and repeats it.

test('refuses files of another PostgreSQL version without changing them', async () => {
  await using fixture = await openTestDatabase('pglite');
  const folder = fixture.location.folder as string;
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(fixture.database.query());
  assert.equal(Number.parseInt(rows[0]?.server_version ?? '', 10), PGLITE_POSTGRES_MAJOR);
  await fixture.database.close();

  const versionFile = join(locatePgliteFiles(folder), 'PG_VERSION');
  writeFileSync(versionFile, '17\n');
  await assert.rejects(openDatabase({ folder }), (error: Error) => {
    assert.ok(error instanceof IncompatibleFolderError);
    assert.match(error.message, /PostgreSQL 17.*PostgreSQL 18.*Nothing was changed/);
    return true;
  });
  assert.equal(readFileSync(versionFile, 'utf8'), '17\n');

  writeFileSync(versionFile, `${PGLITE_POSTGRES_MAJOR}\n`); // and the lock was let go
  await (await openDatabase({ folder })).close();
});
