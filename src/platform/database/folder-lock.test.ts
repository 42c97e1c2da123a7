import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import { DatabaseInUseError } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { openDatabase } from './open-database.ts';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-lock-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a process that takes the lock and holds it until it is killed. */
async function holder(folder: string): Promise<ChildProcess> {
  const source = `
    const { lockFolder } = await import(${JSON.stringify(import.meta.resolve('./folder-lock.ts'))});
    await lockFolder(${JSON.stringify(folder)}, 0);
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', source],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('refuses a folder that another process uses, names its pid and a remedy, and opens the folder after kill -9', () =>
  inFolder(async (folder) => {
    const child = await holder(folder);
    try {
      await assert.rejects(openDatabase({ folder }), (error: DatabaseInUseError) => {
        assert.ok(error instanceof DatabaseInUseError);
        assert.equal(error.holderPid, child.pid);
        for (const part of [folder, `process ${child.pid}`, 'Stop that process', 'DATABASE_URL', 'ALMANAC_DATA'])
          assert.ok(error.message.includes(part), part);
        return true;
      });
      assert.throws(() => statSync(join(folder, 'database')), 'nothing was made in the folder');
    } finally {
      await kill(child);
    }
    const lock = await lockFolder(folder, 0);
    assert.equal(readFileSync(join(folder, 'almanac.pid'), 'utf8'), `${process.pid}\n`);
    lock.release();
  }));

test('opens a folder when its holder ends during the wait', () =>
  inFolder(async (folder) => {
    const child = await holder(folder);
    const waiting = lockFolder(folder, 20_000);
    await kill(child);
    (await waiting).release();
  }));

test('stops waiting for a folder at the limit', () =>
  inFolder(async (folder) => {
    const lock = await lockFolder(folder, 0);
    const refusal = lockFolder(folder, 200).then(
      () => 'locked',
      (error: unknown) => error,
    );
    const first = await Promise.race([refusal, sleep(100, 'still waiting')]);
    assert.equal(first, 'still waiting');
    assert.ok((await refusal) instanceof DatabaseInUseError);
    lock.release();
  }));

test('does not name the pid of an ended process', () =>
  inFolder(async (folder) => {
    const lock = await lockFolder(folder, 0);
    writeFileSync(join(folder, 'almanac.pid'), '99999999\n');
    await assert.rejects(lockFolder(folder, 0), /in use by another process/);
    lock.release();
  }));

test('refuses to open a folder twice in one process, and opens it again after the first database closes', async () => {
  await using fixture = await openTestDatabase('pglite');
  const { database, location } = fixture;
  await sql`create table notes (id int8)`.execute(database.query());
  await assert.rejects(openDatabase(location), /in use by this process/);
  await sql`insert into notes values (1)`.execute(database.query());
  await database.close();
  const again = await openDatabase(location);
  const { rows } = await sql`select id from notes`.execute(again.query());
  await again.close();
  assert.deepEqual(rows, [{ id: 1 }]);
});
