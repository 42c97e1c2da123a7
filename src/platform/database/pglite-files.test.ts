import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import { IncompatibleFolderError } from './errors.ts';
import { openDatabase } from './open-database.ts';
import { PGLITE_POSTGRES_MAJOR, pgliteFiles } from './pglite-files.ts';

test('refuses files of another PostgreSQL version without changing them', async () => {
  await using fixture = await openTestDatabase('pglite');
  const folder = fixture.location.folder as string;
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(fixture.database.query());
  assert.equal(Number.parseInt(rows[0]?.server_version ?? '', 10), PGLITE_POSTGRES_MAJOR);
  await fixture.database.close();

  const versionFile = join(pgliteFiles(folder), 'PG_VERSION');
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

test('repeats a first start that was killed, in a folder that only its owner can read', async () => {
  const home = mkdtempSync(join(tmpdir(), 'almanac-files-'));
  const folder = join(home, 'data');
  const open = `await (await import(${JSON.stringify(import.meta.resolve('./index.ts'))})).openDatabase({ folder: ${JSON.stringify(folder)} })`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', open],
    { stdio: 'inherit' },
  );
  const exit = once(child, 'exit');
  try {
    while (!existsSync(join(folder, 'database.unfinished'))) await sleep(1);
    child.kill('SIGKILL');
    await exit;
    writeFileSync(join(folder, 'database.unfinished', 'PG_VERSION'), '18\n'); // as a later kill would leave it
    assert.equal(statSync(folder).mode & 0o777, 0o700);

    chmodSync(folder, 0o755); // as if another user had created it
    const database = await openDatabase({ folder });
    await sql`create table notes (id int8)`.execute(database.query());
    await database.close();
    assert.equal(statSync(pgliteFiles(folder)).mode & 0o777, 0o700);
    assert.ok(!existsSync(join(folder, 'database.unfinished')));
  } finally {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
});
