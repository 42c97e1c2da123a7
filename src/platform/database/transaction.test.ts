import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database, Executor } from './database.ts';
import { DatabaseClosedError, TransactionMisuseError } from './errors.ts';

interface Tables {
  notes: { id: number };
}

async function withNotes(database: Database): Promise<Database> {
  await sql`create table notes (id int8 primary key)`.execute(database.query());
  return database;
}

const add = (executor: Executor, id: number) => executor.query<Tables>().insertInto('notes').values({ id }).execute();

const ids = async (executor: Executor) =>
  (await executor.query<Tables>().selectFrom('notes').select('id').orderBy('id').execute()).map((row) => row.id);

forEachDatabase(
  'commits a transaction when its work resolves and rolls it back when it rejects',
  {},
  async ({ database }) => {
    await withNotes(database);
    const result = await database.transaction(async (tx) => {
      await add(tx, 1);
      return 'done';
    });
    const failure = new Error('no');
    await assert.rejects(
      database.transaction(async (tx) => {
        await add(tx, 2);
        throw failure;
      }),
      failure,
    );
    assert.equal(result, 'done');
    assert.deepEqual(await ids(database), [1]);
  },
);

forEachDatabase(
  'throws immediately when the database itself is used inside a transaction',
  {},
  async ({ database }) => {
    await withNotes(database);
    await assert.rejects(
      database.transaction(async (tx) => {
        await add(tx, 1);
        await ids(database);
      }),
      TransactionMisuseError,
    );
    assert.deepEqual(await ids(database), []);
  },
);

forEachDatabase(
  'throws immediately when a transaction is opened inside another, in any way',
  {},
  async ({ database }) => {
    await withNotes(database);
    const builder: Kysely<Tables> = database.query();
    await assert.rejects(
      database.transaction(() => database.transaction(async () => undefined)),
      TransactionMisuseError,
    );
    await assert.rejects(
      database.transaction(() => builder.transaction().execute(async () => undefined)),
      TransactionMisuseError,
    );
    await assert.rejects(
      builder.transaction().execute(async () => undefined),
      TransactionMisuseError,
    );
    assert.deepEqual(await ids(database), []);
  },
);

forEachDatabase('guards awaits, timers and parallel branches of the transaction', {}, async ({ database }) => {
  await withNotes(database);
  await database.transaction(async (tx) => {
    await add(tx, 1);
    const outcomes = await Promise.allSettled([
      sleep(5).then(() => ids(database)),
      Promise.resolve().then(() => ids(database)),
    ]);
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof TransactionMisuseError);
  });
  assert.deepEqual(await ids(database), [1]);
});

forEachDatabase('does not guard work outside or after the transaction', {}, async ({ database }) => {
  await withNotes(database);
  const opened = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let leftBehind: Promise<number[]> | undefined;
  const transaction = database.transaction(async (tx) => {
    await add(tx, 1);
    leftBehind = transactionEnded.promise.then(() => ids(database)); // continues in the transaction's context, after its end
    opened.resolve();
    await finish.promise;
  });
  const transactionEnded = Promise.withResolvers<void>();
  await opened.promise;
  // PGlite runs this after the transaction, PostgreSQL immediately; it is part of the transaction in neither.
  const parallel = add(database, 2);
  const another = database.transaction((tx) => add(tx, 3));
  finish.resolve();
  await Promise.all([transaction, parallel, another]);
  transactionEnded.resolve();
  assert.deepEqual(await leftBehind, [1, 2, 3]);
  assert.deepEqual(await ids(database), [1, 2, 3]);
});

forEachDatabase('keeps a parallel statement out of a transaction that rolls back', {}, async ({ database }) => {
  await withNotes(database);
  const opened = Promise.withResolvers<void>();
  const failing = database.transaction(async (tx) => {
    await add(tx, 1);
    opened.resolve();
    await sleep(20);
    throw new Error('no');
  });
  await opened.promise;
  await Promise.all([add(database, 2), assert.rejects(failing, /no/)]);
  assert.deepEqual(await ids(database), [2]);
});

forEachDatabase('refuses a transaction handle after its transaction', {}, async ({ database }) => {
  await withNotes(database);
  const ended = await database.transaction(async (tx) => ({ tx }));
  await assert.rejects(ids(ended.tx), /already committed/);
});

forEachDatabase('reports a transaction that ignored a failed statement as failed', {}, async ({ database }) => {
  await withNotes(database);
  await assert.rejects(
    database.transaction(async (tx) => {
      await add(tx, 1);
      await add(tx, 1).catch(() => undefined);
    }),
    /rolled back instead of committed/,
  );
  assert.deepEqual(await ids(database), []);
});

forEachDatabase('allows one database inside the transaction of another', {}, async ({ database }) => {
  await using other = await (await import('../../../test/support/platform/database.ts')).openTestDatabase('pglite');
  await database.transaction(async () => {
    await withNotes(other.database);
    await add(other.database, 1);
  });
  assert.deepEqual(await ids(other.database), [1]);
});

forEachDatabase('waits for running work at close and refuses new work', {}, async ({ database }) => {
  await withNotes(database);
  const opened = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let seen: number[] = [];
  const running = database.transaction(async (tx) => {
    await add(tx, 1);
    opened.resolve();
    await finish.promise;
    seen = await ids(tx);
  });
  await opened.promise;
  assert.equal(database.isOpen(), true);
  const closed = database.close();
  assert.equal(database.isOpen(), false);
  await assert.rejects(ids(database), DatabaseClosedError);
  finish.resolve();
  await running;
  await closed;
  await database.close();
  assert.deepEqual(seen, [1]);
});
