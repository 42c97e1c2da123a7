import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database, Executor } from './database.ts';
import {
  DatabaseClosedError,
  findStorageProblem,
  isRetryableConflict,
  isUnavailable,
  isUniqueViolation,
} from './errors.ts';
import { openDatabase } from './open-database.ts';
import { StorageProblems } from './storage-problems.ts';

const outside = new AsyncResource('test');

const MANY_CONNECTIONS = { only: 'postgres' } as const;

const run = (executor: Executor, statement: string) => sql.raw(statement).execute(executor.query());

async function readSetting(database: Database, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(database.query());
  return rows[0]?.value;
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it should have failed'),
    (error) => error,
  );
}

forEachDatabase('recognizes a unique violation and its constraint', {}, async ({ database }) => {
  await run(
    database,
    'create table people (id int8 constraint people_pk primary key, email text constraint people_email unique)',
  );
  await run(database, "insert into people values (1, 'a')");
  const error = await failureOf(run(database, "insert into people values (2, 'a')"));
  assert.equal(isUniqueViolation(error), true);
  assert.equal(isUniqueViolation(error, 'people_email'), true);
  assert.equal(isUniqueViolation(error, 'people_pk'), false);
  assert.equal(isRetryableConflict(error), false);
  assert.equal(isUnavailable(error), false);
  const other = await failureOf(run(database, 'insert into people values (null)'));
  assert.equal(isUniqueViolation(other), false);
});

forEachDatabase('does not put parameters of a statement into its error', {}, async ({ database }) => {
  const secret = 'do-not-log-me';
  for (const executor of [database, undefined]) {
    const statement = (on: Executor) => sql`select 1 / 0 from (select ${secret}::text) s`.execute(on.query());
    const error = await failureOf(executor ? statement(executor) : database.transaction(statement));
    assert.equal((error as { code?: string }).code, '22012');
    assert.ok(!JSON.stringify(Object.entries(error as object)).includes(secret));
  }
});

forEachDatabase(
  'reports a retryable conflict to one of two deadlocked transactions',
  { only: 'postgres' },
  async ({ database }) => {
    await run(
      database,
      'create table counters (id int8 primary key, n int8); insert into counters values (1, 0), (2, 0)',
    );
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    const crossing = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await run(tx, `update counters set n = n + 1 where id = ${first}`);
        holding += 1;
        if (holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await run(tx, `update counters set n = n + 1 where id = ${second}`);
      });
    const outcomes = await Promise.allSettled([crossing(1, 2), crossing(2, 1)]);
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(failed.length, 1);
    assert.equal(isRetryableConflict(failed[0]?.reason), true);
  },
);

forEachDatabase(
  'reports a serialization failure as a retryable conflict',
  { only: 'postgres' },
  async ({ database }) => {
    await run(database, 'create table counters (id int8 primary key, n int8); insert into counters values (1, 0)');
    const error = await failureOf(
      database.transaction(async (tx) => {
        await run(tx, 'set transaction isolation level repeatable read');
        await run(tx, 'select * from counters');
        await new Promise<void>((resolve, reject) => {
          // Outside the context of this transaction, like another request.
          runOutside(() => run(database, 'update counters set n = 5').then(() => resolve(), reject));
        });
        await run(tx, 'update counters set n = n + 1');
      }),
    );
    assert.equal(isRetryableConflict(error), true);
  },
);

forEachDatabase('reports a statement timeout as unavailable', { only: 'postgres' }, async ({ database }) => {
  const error = await failureOf(
    database.transaction(async (tx) => {
      await run(tx, 'set local statement_timeout = 30');
      await run(tx, 'select pg_sleep(5)');
    }),
  );
  assert.equal(isUnavailable(error), true);
  assert.equal(await readSetting(database, 'statement_timeout'), '30s');
});

forEachDatabase(
  'reports a lock that another transaction holds as unavailable',
  MANY_CONNECTIONS,
  async ({ database }) => {
    assert.equal(await readSetting(database, 'lock_timeout'), '3s');
    await run(database, 'create table held (n int); insert into held values (1)');
    await database.transaction(async (holder) => {
      await run(holder, 'update held set n = 2');
      const error = await runOutside(() =>
        failureOf(
          database.transaction(async (waiter) => {
            await run(waiter, 'set local lock_timeout = 30');
            await run(waiter, 'update held set n = 3');
          }),
        ),
      );
      assert.equal(isUnavailable(error), true);
    });
  },
);

forEachDatabase('ends a forgotten transaction and releases its locks', MANY_CONNECTIONS, async ({ database }) => {
  assert.equal(await readSetting(database, 'idle_in_transaction_session_timeout'), '15s');
  await run(database, 'create table held (n int); insert into held values (1)');
  const error = await failureOf(
    database.transaction(async (forgotten) => {
      await run(forgotten, 'set local idle_in_transaction_session_timeout = 30');
      await run(forgotten, 'update held set n = 2');
      // Waits for the lock until the server has ended the forgotten transaction.
      await runOutside(() => run(database, 'update held set n = n + 10'));
      await run(forgotten, 'select 1');
    }),
  );
  assert.equal(isUnavailable(error), true);
  const { rows } = await sql<{ n: number }>`select n from held`.execute(database.query());
  assert.deepEqual(rows, [{ n: 11 }]);
});

forEachDatabase(
  'survives a connection killed by the server, with an error for its statement and a line in the log',
  { only: 'postgres' },
  async ({ location }) => {
    const lines: string[] = [];
    const database = await openDatabase({
      ...location,
      poolSize: 2,
      log: { warn: (_details, message) => lines.push(message) },
    });
    try {
      const killOthers =
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'almanac'";
      const opened = Promise.withResolvers<void>();
      const killed = Promise.withResolvers<void>();
      const transaction = failureOf(
        database.transaction(async (tx) => {
          await run(tx, 'select 1');
          opened.resolve();
          await killed.promise;
          await run(tx, 'select 1');
        }),
      );
      await opened.promise;
      await run(database, killOthers); // in use: the transaction's connection
      await sleep(50);
      killed.resolve();
      assert.equal(isUnavailable(await transaction), true);

      await Promise.all([run(database, 'select pg_sleep(0.05)'), run(database, 'select pg_sleep(0.05)')]); // two idle connections
      await run(database, killOthers);
      await sleep(50);
      await Promise.all([run(database, 'select 1'), run(database, 'select 1')]);
      assert.ok(lines.length >= 2 && lines.every((line) => line === 'lost a database connection'), lines.join());
    } finally {
      await database.close();
    }
  },
);

forEachDatabase('reports a timeout for a connection as unavailable', { only: 'postgres' }, async ({ location }) => {
  const database = await openDatabase({ ...location, poolSize: 1, connectTimeoutMs: 200 });
  const finish = Promise.withResolvers<void>();
  const holding = database.transaction(() => finish.promise);
  const error = await failureOf(run(database, 'select 1')); // after the time above
  finish.resolve();
  await holding;
  await database.close();
  assert.equal(isUnavailable(error), true);
});

test('reports a missing or silent server as unavailable', async () => {
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const unanswered = failureOf(
    openDatabase({ url: `postgres://absent@127.0.0.1:${port}/none`, connectTimeoutMs: 200 }),
  );
  assert.equal(isUnavailable(await unanswered), true);
  silent.close();
  await once(silent, 'close');
  const refused = await failureOf(openDatabase({ url: `postgres://absent@127.0.0.1:${port}/none` }));
  assert.equal(isUnavailable(refused), true);
  assert.equal(isUnavailable(new Error('wrapped', { cause: refused })), true);
});

test('does not recognize other errors as database errors', () => {
  for (const thing of [undefined, null, 'ECONNREFUSED', new Error('no'), new TypeError('PGlite')]) {
    assert.equal(isUnavailable(thing) || isRetryableConflict(thing) || isUniqueViolation(thing), false);
  }
  assert.equal(isUnavailable(new DatabaseClosedError()), true);
});

/** Runs `work` in the asynchronous context in which this file was loaded: outside any transaction. */
function runOutside<T>(work: () => T): T {
  return outside.runInAsyncScope(work);
}

test('reports a full or read-only database as unavailable, and which of them it is', () => {
  const failed = (code: string) => Object.assign(new Error('failed'), { code });
  const problems = { '53100': 'disk full', '58030': 'disk error', '25006': 'database read-only', ENOSPC: 'disk full' };
  for (const [code, problem] of Object.entries(problems)) {
    assert.deepEqual([isUnavailable(failed(code)), findStorageProblem(failed(code))], [true, problem], code);
  }
  for (const code of ['53000', '53200', '53300', '53400']) {
    assert.deepEqual([isUnavailable(failed(code)), findStorageProblem(failed(code))], [true, null], code);
  }
  assert.deepEqual([isUnavailable(failed('23505')), findStorageProblem(failed('23505'))], [false, null]);
});

forEachDatabase('a read-only database is not ready', {}, async ({ database }) => {
  assert.equal(database.findProblem(), null);
  const written = database.transaction(async (tx) => {
    await run(tx, 'SET TRANSACTION READ ONLY');
    await run(tx, 'CREATE TABLE refused (id int)');
  });
  assert.ok(isUnavailable(await failureOf(written)));
  assert.equal(database.findProblem(), 'database read-only');
});

test('a storage problem is forgotten after a while', () => {
  let now = 0;
  const problems = new StorageProblems(() => now);
  problems.record(Object.assign(new Error('full'), { code: '53100' }));
  assert.equal(problems.current(), 'disk full');
  now = 15_000;
  assert.equal(problems.current(), null);
});
