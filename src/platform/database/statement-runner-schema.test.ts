import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import type { Executor } from './database.ts';
import { engineOf } from './engine.ts';

const READ = 'select * from notes where id = $1 order by id';
const USES = 8;

async function openRunner() {
  const fixture = await openTestDatabase('pglite');
  const engine = engineOf(fixture.database);
  assert.ok(engine.kind === 'pglite');
  await makeNotes(engine.pglite);
  return { fixture, database: fixture.database, pglite: engine.pglite };
}

/** Restores the original table. */
async function makeNotes(pglite: PGlite): Promise<void> {
  await pglite.exec(`
    reset search_path; discard temp; drop schema if exists other cascade; drop table if exists notes, old;
    create table notes (id int8, title text); insert into notes values (1, 'one')`);
}

const run = (executor: Executor, text: string) => sql.raw(text).execute(executor.query());

/** Returns the rows of the statement, run often enough to be prepared with a kept plan. */
async function read(executor: Executor, id: unknown = 1): Promise<unknown> {
  let rows: unknown;
  for (let use = 1; use <= USES; use += 1) {
    ({ rows } = await sql`select * from notes where id = ${id} order by id`.execute(executor.query()));
  }
  return rows;
}

async function isPrepared(pglite: PGlite): Promise<boolean> {
  return (await pglite.query('select from pg_prepared_statements where statement = $1', [READ])).rows.length > 0;
}

const BEFORE = [{ id: 1, title: 'one' }];

/** Changes of the schema, and the rows of the same statement after them. */
const changes: readonly (readonly [change: string, after: unknown, id?: unknown])[] = [
  ['alter table notes add column more int4 default 7', [{ id: 1, title: 'one', more: 7 }]],
  ['alter table notes drop column title', [{ id: 1 }]],
  ['alter table notes rename column title to name', [{ id: 1, name: 'one' }]],
  ['alter table notes alter column title type varchar(3)', BEFORE],
  ["alter table notes alter column id type text using 'x' || id", [{ id: 'x1', title: 'one' }], 'x1'],
  ['alter table notes rename to old; create table notes (id text)', [], 'anything'],
  ['drop table notes; create table notes as select 1 as id, true as fresh', [{ id: 1, fresh: true }]],
  ['create temp table notes as select 1 as id, 2 as hidden', [{ id: 1, hidden: 2 }]],
  ['do $$ begin alter table notes add column done boolean; end $$', [{ id: 1, title: 'one', done: null }]],
  ['create schema other; create table other.notes (id int4); set search_path = other', []],
  ['discard all', BEFORE],
  ['deallocate all', BEFORE],
];

const commandsOf = (change: string) => (change.startsWith('do ') ? [change] : change.split('; '));

/** The changes that can run in a transaction. */
const undoable = changes.filter(([change]) => change !== 'discard all');

test('parses a statement again after a change of the schema', async () => {
  const { fixture, database, pglite } = await openRunner();
  await using _ = fixture;
  for (const [change, after, id] of changes) {
    await makeNotes(pglite);
    assert.deepEqual(await read(database), BEFORE);
    assert.ok(await isPrepared(pglite));
    for (const command of commandsOf(change)) await run(database, command);
    // In a transaction, where the statement is not sent again.
    assert.deepEqual(await database.transaction((tx) => read(tx, id)), after, change);
  }
});

test('parses a statement again after a change that was sent to PGlite directly', async () => {
  const { fixture, database, pglite } = await openRunner();
  await using _ = fixture;
  for (const send of [(command: string) => pglite.exec(command), (command: string) => pglite.query(command)]) {
    for (const [change, after, id] of changes) {
      await makeNotes(pglite);
      await read(database);
      for (const command of commandsOf(change)) await send(command);
      assert.deepEqual(await read(database, id), after, change);
    }
  }
});

test('parses a statement again after a change by a simple query that failed later', async () => {
  const { fixture, database, pglite } = await openRunner();
  await using _ = fixture;
  await read(database);
  await assert.rejects(pglite.exec('begin; alter table notes drop column title; commit; select nothing'));
  assert.deepEqual(await database.transaction((tx) => read(tx)), [{ id: 1 }]);
});

test('parses a statement again within the transaction of a change and after its rollback', async () => {
  const { fixture, database, pglite } = await openRunner();
  await using _ = fixture;
  const undone = new Error('undone');
  for (const [change, after, id] of undoable) {
    await makeNotes(pglite);
    await read(database);
    const work = database.transaction(async (tx) => {
      assert.deepEqual(await read(tx), BEFORE);
      for (const command of commandsOf(change)) await run(tx, command);
      assert.deepEqual(await read(tx, id), after, change);
      throw undone;
    });
    await assert.rejects(work, undone);
    assert.deepEqual(await database.transaction((tx) => read(tx)), BEFORE, change);
  }
});

test('parses a statement again after a rollback to a savepoint', async () => {
  const { fixture, database, pglite } = await openRunner();
  await using _ = fixture;
  for (const [change, after, id] of undoable) {
    await makeNotes(pglite);
    await database.transaction(async (tx) => {
      await run(tx, 'savepoint here');
      for (const command of commandsOf(change)) await run(tx, command);
      assert.deepEqual(await read(tx, id), after, change);
      await run(tx, 'rollback to savepoint here');
      assert.deepEqual(await read(tx), BEFORE, change);
    });
  }
});

test('parses a statement again after a transaction with SET LOCAL search_path', async () => {
  const { fixture, database } = await openRunner();
  await using _ = fixture;
  await run(database, 'create schema other');
  await run(database, 'create table other.notes (id int4, elsewhere bool)');
  await database.transaction(async (tx) => {
    await run(tx, 'set local search_path = other');
    assert.deepEqual(await read(tx), []);
  });
  assert.deepEqual(await database.transaction((tx) => read(tx)), BEFORE);
});

test('recovers from a change by a function that a SELECT called', async () => {
  const { fixture, database } = await openRunner();
  await using _ = fixture;
  await run(
    database,
    `create function widen() returns void language plpgsql as $$ begin
      alter table notes add column more int4; alter table notes alter column id type text; end $$`,
  );
  await read(database);
  await run(database, 'select widen()');
  assert.deepEqual(await read(database, '1'), [{ id: '1', title: 'one', more: null }]);
});

test('makes new plans when a table has grown', async () => {
  const { fixture, database, pglite } = await openRunner();
  await using _ = fixture;
  await run(database, 'create index notes_id on notes (id)');
  const plan = async () => {
    const { rows } = await pglite.query<{ name: string }>(
      'select name from pg_prepared_statements where statement = $1 and generic_plans > 0',
      [READ],
    );
    const explained = await pglite.exec(`explain (costs off) execute ${rows[0]?.name}(1)`);
    return JSON.stringify(explained[0]?.rows);
  };
  // Without rows and with statistics that show it, the table is scanned entirely.
  await pglite.exec('vacuum (analyze) notes');
  await read(database);
  assert.match(await plan(), /Seq Scan/);
  await run(database, 'insert into notes select n, n::text from generate_series(2, 20000) n');
  assert.match(await plan(), /Index Scan/);
});
