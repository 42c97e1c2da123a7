import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import type { Executor } from './database.ts';
import { engineOf } from './engine.ts';
import { isUnavailable } from './errors.ts';
import { engineForKysely } from './pglite-engine.ts';

async function openRunner() {
  const fixture = await openTestDatabase('pglite');
  const engine = engineOf(fixture.database);
  assert.ok(engine.kind === 'pglite');
  const { pglite, statements } = engine;
  await pglite.exec('create table notes (id int8 primary key)');
  const add = (id: number) => statements.run('insert into notes values ($1)', [id]);
  const count = async () => (await statements.run<{ n: number }>('select count(*) as n from notes')).rows[0]?.n;
  return { fixture, database: fixture.database, pglite, statements, add, count };
}

test('runs a single statement outside open transactions, however they were opened', async () => {
  const { fixture, database, pglite, statements, add, count } = await openRunner();
  await using _ = fixture;
  for (let id = 1; id <= 3; id += 1) await add(id);
  const insert = (executor: Executor, id: number) => sql`insert into notes values (${id})`.execute(executor.query());
  const undone = new Error('undone');
  const running: Promise<unknown>[] = [];
  const alone = (first: number) => [
    add(first),
    pglite.query('insert into notes values ($1)', [first + 1]),
    statements.run('select count(*) from notes where id > $1 and id % 10 = 9', [first]).then(({ rows }) => {
      assert.deepEqual(rows, [{ count: 0 }], 'sees what a transaction has not committed');
    }),
  ];
  for (let first = 1_000; first <= 20_000; first += 1_000) {
    running.push(
      ...alone(first),
      pglite.transaction(async (tx) => {
        await tx.query('insert into notes values ($1)', [first + 9]);
        running.push(...alone(first + 100));
        await sleep(1);
        throw undone;
      }),
      database.transaction(async (tx) => {
        await insert(tx, first + 19);
        running.push(...alone(first + 200));
        await sleep(1);
        await insert(tx, first + 29);
        throw undone;
      }),
    );
  }
  await Promise.allSettled(running);
  const outcomes = await Promise.allSettled(running);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.ok(reasons.every((reason) => reason === undone));
  assert.equal(reasons.length, 40);
  assert.equal(await count(), 3 + 20 * 6);
});

test('refuses prepared and other statements in a failed transaction, and rolls it back', async () => {
  const { fixture, database, count } = await openRunner();
  await using _ = fixture;
  const insert = (executor: Executor) => sql`insert into notes values (${7})`.execute(executor.query());
  for (let use = 1; use <= 4; use += 1) {
    await assert.rejects(
      database.transaction(async (tx) => {
        await insert(tx);
        await assert.rejects(insert(tx), { code: '23505', constraint: 'notes_pkey' });
        await assert.rejects(insert(tx), { code: '25P02' });
        // Refused during parsing, with and without a name: neither counts as prepared.
        for (let n = 1; n <= 2; n += 1) {
          await assert.rejects(sql.raw(`select ${use} as refused`).execute(tx.query()), { code: '25P02' });
        }
        return 'not committed';
      }),
      { code: '25P02' },
    );
    await database.transaction(async (tx) => {
      const { rows } = await sql.raw(`select ${use} as refused`).execute(tx.query());
      assert.deepEqual(rows, [{ refused: use }]);
    });
    assert.equal(await count(), 0);
  }
});

test('delivers notifications of a prepared statement, of a transaction and beside an error', async () => {
  const { fixture, database, pglite, statements } = await openRunner();
  await using _ = fixture;
  const heard: string[] = [];
  const unlisten = await pglite.listen('bell', (payload) => heard.push(payload));
  for (let use = 1; use <= 4; use += 1) await statements.run('select pg_notify($1, $2)', ['bell', String(use)]);
  await database.transaction(async (tx) => {
    await sql`select pg_notify('bell', 'in transaction')`.execute(tx.query());
  });
  await assert.rejects(statements.run(`select pg_notify('bell', 'never'), 1 / $1::int8`, [0]));
  await sleep(0);
  assert.deepEqual(heard, ['1', '2', '3', '4', 'in transaction']);
  await unlisten();
});

test('refuses statements of an ended transaction', async () => {
  const { fixture, pglite, statements } = await openRunner();
  await using _ = fixture;
  const late = await engineForKysely(pglite, statements).transaction(async (tx) => tx);
  await assert.rejects(late.query('select 1'), { message: 'Transaction is closed' });
});

test('waits for running statements at close and refuses later ones', async () => {
  const { fixture, database, statements, add } = await openRunner();
  await using _ = fixture;
  for (let id = 1; id <= 3; id += 1) await add(id);
  const sent = [4, 5, 6].map(add);
  const closed = database.close();
  assert.deepEqual(
    (await Promise.all(sent)).map(({ affectedRows }) => affectedRows),
    [1, 1, 1],
  );
  await closed;
  await assert.rejects(statements.run('select 1'), (error) => isUnavailable(error));
});
