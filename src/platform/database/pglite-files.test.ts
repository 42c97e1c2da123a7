import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import { IncompatibleFolderError } from './errors.ts';
import { openDatabase } from './open-database.ts';
import { createPgliteTemplate, locatePgliteFiles, PGLITE_POSTGRES_MAJOR } from './pglite-files.ts';

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

test('copies a prepared database into a new folder', async () => {
  await createPgliteTemplate();
  const identifiers = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const folder = mkdtempSync(join(tmpdir(), 'almanac-files-'));
    try {
      const database = await openDatabase({ folder });
      const { rows } = await sql<{ identifier: string }>`
        SELECT system_identifier::text AS identifier FROM pg_control_system()`.execute(database.query());
      identifiers.add(rows[0]?.identifier ?? '');
      await database.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  // Each newly created database has its own.
  assert.equal(identifiers.size, 1);
});
