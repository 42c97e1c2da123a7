import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../../src/platform/database/index.ts';
import { availableKinds, openTestDatabase } from './database.ts';
import { runName } from './database-template.ts';
import { removeLeftoverCopies } from './pglite-template.ts';
import { removeLeftoverDatabases } from './postgres-template.ts';

const up = async (db: Kysely<unknown>) => void (await sql`create table notes (id int8)`.execute(db));
const migrations = [{ domain: 'support', migrations: { '001': { up } } }];

for (const kind of availableKinds) {
  test(`gives each test its own migrated, empty database [${kind}]`, async (context) => {
    const started = performance.now();
    await using first = await openTestDatabase(kind, { migrations });
    await sql`insert into notes values (1)`.execute(first.database.query());
    const opening = performance.now();
    await using second = await openTestDatabase(kind, { migrations });
    context.diagnostic(
      `first ${(opening - started).toFixed(0)} ms, second ${(performance.now() - opening).toFixed(0)} ms`,
    );
    assert.deepEqual((await sql`select * from notes`.execute(second.database.query())).rows, []);
    assert.deepEqual((await sql`select * from notes`.execute(first.database.query())).rows, [{ id: 1 }]);
  });

  test(`removes copies of ended runs but not those of running ones [${kind}]`, async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const leftover = (pid: number) => `${runName.replace(/\d+$/, String(pid))}_99`;
    await using fixture = await openTestDatabase(kind, { migrations });
    const left: string[] = [];
    for (const pid of [ended, process.pid]) left.push(await leave(fixture.location, leftover(pid)));
    if (kind === 'pglite') removeLeftoverCopies();
    else await removeLeftoverDatabases(process.env.TEST_DATABASE_URL as string);
    assert.deepEqual(await Promise.all(left.map((name) => isThere(fixture.location, name))), [false, true]);
  });

  // Last, because no later test can use its database again.
  test(`runs cleanups in reverse order before the database closes, then removes the copy [${kind}]`, async () => {
    const order: string[] = [];
    const fixture = await openTestDatabase(kind, { migrations });
    await sql`create function left_by_test() returns int4 language sql as 'select 1'`.execute(fixture.database.query()); // no reset removes it
    fixture.cleanup(() => order.push('first'));
    fixture.cleanup(async () => {
      order.push('second');
      assert.equal(fixture.database.isOpen(), true);
    });
    await fixture[Symbol.asyncDispose]();
    assert.deepEqual(order, ['second', 'first']);
    if (kind === 'pglite') assert.equal(existsSync(fixture.location.folder as string), false);
    else await assert.rejects(openDatabase(fixture.location), /does not exist/);
  });
}

type Location = Awaited<ReturnType<typeof openTestDatabase>>['location'];

/** Leaves a copy like a run with that name, and returns its name. */
async function leave(location: Location, name: string): Promise<string> {
  if (location.folder !== undefined) {
    const folder = join(dirname(location.folder), `copy_${name}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
  await run(location, `create database almanac_test_${name}`);
  return `almanac_test_${name}`;
}

async function isThere(location: Location, name: string): Promise<boolean> {
  if (location.folder !== undefined) {
    const there = existsSync(name);
    rmSync(name, { recursive: true, force: true });
    return there;
  }
  const rows = await run(location, `select 1 from pg_database where datname = '${name}'`);
  if (rows.length > 0) await run(location, `drop database ${name}`);
  return rows.length > 0;
}

async function run(location: Location, statement: string): Promise<unknown[]> {
  const database = await openDatabase(location);
  try {
    return (await sql.raw(statement).execute(database.query())).rows;
  } finally {
    await database.close();
  }
}
