import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { emptyPostgres } from '../../../test/support/cli/service.ts';
import { runName } from '../../../test/support/platform/database-template.ts';
import { type PgBouncerOptions, skipPgBouncer, startPgBouncer } from '../../../test/support/platform/pgbouncer.ts';
import { runAt } from '../../../test/support/platform/run-at.ts';
import type { Database, Executor } from './database.ts';
import { DatabaseSetupError, DirectConnectionError, isUnavailable } from './errors.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { alterRoleStatements, SESSION_SETTINGS } from './session-settings.ts';

const options = { skip: skipPgBouncer };
const PASSWORD = 'hunter2';

/** An empty database with its direct address and its address through PgBouncer, which has two connections to it. */
async function openScene(pooling: PgBouncerOptions = {}) {
  const open = new AsyncDisposableStack();
  const { url } = open.use(await emptyPostgres());
  const pooler = open.use(await startPgBouncer(pooling));
  const direct = withUser(url);
  return {
    direct,
    pooled: pooler.urlOf(direct),
    pooler,
    name: new URL(url).pathname.slice(1),
    run: (statement: string) => runAt(direct, statement),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** The servers of tests need no password, so that any can be part of an address, and must not be part of a message. */
function withUser(url: string, user = new URL(url).username): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password ||= PASSWORD;
  return changed.href;
}

async function refusalOf(location: { readonly url: string; readonly directUrl?: string }): Promise<string> {
  const error = await openDatabase(location).then(
    async (database) => {
      await database.close();
      assert.fail('it should have been refused');
    },
    (reason) => reason,
  );
  assert.ok(error instanceof DatabaseSetupError, String(error));
  assert.doesNotMatch(error.message, new RegExp(PASSWORD));
  return error.message;
}

const roleSettings = `select unnest(setconfig) as setting from pg_db_role_setting
  where setrole <> 0 and setdatabase = (select oid from pg_database where datname = current_database())`;

async function readSettings(executor: Executor) {
  const columns = Object.keys(SESSION_SETTINGS).map((name) => `current_setting('${name}') as "${name}"`);
  const { rows } = await sql.raw<Record<string, string>>(`select ${columns.join(', ')}`).execute(executor.query());
  return { ...rows[0], DateStyle: rows[0]?.DateStyle?.split(',')[0] };
}

/** Runs two transactions at the same time, which need both connections of the pooler. */
async function onBothConnections<T>(database: Database, work: (executor: Executor) => Promise<T>): Promise<T[]> {
  const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const all = Promise.all(entered.map(({ promise }) => promise));
  return Promise.all(
    entered.map(({ resolve }) =>
      database.transaction(async (tx) => {
        const result = await work(tx);
        resolve();
        await all;
        return result;
      }),
    ),
  );
}

/** Opens both connections of the pooler, as a service does that is refused because it has no direct address. */
async function openAllConnections(url: string): Promise<void> {
  const clients = [1, 2].map(() => new Client({ connectionString: url, application_name: 'almanac' }));
  for (const client of clients) {
    await client.connect();
    await client.query('begin; select 1');
  }
  for (const client of clients) await client.query('rollback');
  for (const client of clients) await client.end();
}

test('a role gets its settings, also for connections that the pooler had opened before', options, async () => {
  await using scene = await openScene();
  await scene.run(`alter database ${scene.name} set timezone = 'Asia/Tokyo'`);
  await scene.run(`alter database ${scene.name} set lock_timeout = '1s'`);
  await openAllConnections(scene.pooled);
  const location = { url: scene.pooled, directUrl: scene.direct };
  // Processes that start together.
  const [one, two] = await Promise.all([openDatabase(location), openDatabase(location)]);
  try {
    for (const settings of [
      ...(await onBothConnections(one, readSettings)),
      ...(await onBothConnections(two, readSettings)),
    ])
      assert.deepEqual(settings, { ...SESSION_SETTINGS });
    assert.equal((await scene.run(roleSettings)).length, Object.keys(SESSION_SETTINGS).length);
    const sources = sql<{
      source: string;
    }>`select source from pg_settings where name ~ 'timeout$' and source <> 'default'`;
    for (const { rows } of await onBothConnections(one, (tx) => sources.execute(tx.query()))) {
      assert.equal(rows.filter(({ source }) => source === 'database user').length, 3, 'not set for a session');
    }
  } finally {
    await one.close();
    await two.close();
  }
  const other = await emptyPostgres();
  assert.deepEqual(await runAt(other.url, roleSettings), [], 'only in the database of the service');
  await other[Symbol.asyncDispose]();
});

test('transactions and parameters work on shared connections, and migrations on the direct one', options, async () => {
  await using scene = await openScene();
  const database = await openDatabase({ url: scene.pooled, directUrl: scene.direct, poolSize: 8 });
  try {
    const ran = await migrate(database, [
      {
        domain: 'notes',
        migrations: {
          '0001': {
            up: async (db) =>
              void (await sql`create table note as select inet_server_port() as n, pg_backend_pid() as pid`.execute(
                db,
              )),
          },
        },
      },
    ]);
    assert.deepEqual(ran, ['notes/0001']);
    const pids = await onBothConnections(database, (tx) =>
      select<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`),
    );
    assert.notEqual(pids[0]?.pid, pids[1]?.pid);
    const { pid } = await select<{ pid: number }>(database, sql`select pid from note`);
    assert.ok(!pids.some((one) => one.pid === pid), 'the migration ran on a connection of the pooler');
    // More transactions than connections, with statements that are prepared.
    await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        database.transaction(async (tx) => {
          await sql`insert into note (n) values (${i + 100_000})`.execute(tx.query());
          assert.equal((await select<{ n: number }>(tx, sql`select ${i}::int4 as n`)).n, i);
        }),
      ),
    );
    assert.equal(
      (await select<{ n: number }>(database, sql`select count(*)::int4 as n from note where n >= ${100_000}`)).n,
      24,
    );
  } finally {
    await database.close();
  }
});

test('a pooler in transaction or statement mode is refused without a direct address', options, async () => {
  for (const poolMode of ['transaction', 'statement'] as const) {
    await using scene = await openScene({ poolMode });
    const message = await refusalOf({ url: scene.pooled });
    assert.match(message, /^DATABASE_URL leads to a pooler in transaction mode\. Set DATABASE_DIRECT_URL /);
    // The refused attempt left a connection without settings. With the direct address, everything works.
    if (poolMode === 'statement') continue;
    const database = await openDatabase({ url: scene.pooled, directUrl: scene.direct });
    assert.deepEqual((await onBothConnections(database, readSettings))[0], { ...SESSION_SETTINGS });
    await database.close();
  }
});

test(
  'a server, or a pooler in session mode, needs no direct address and no settings of its role',
  options,
  async () => {
    await using scene = await openScene({ poolMode: 'session' });
    for (const url of [scene.direct, scene.pooled]) {
      const database = await openDatabase({ url });
      assert.deepEqual(await readSettings(database), { ...SESSION_SETTINGS });
      await database.close();
    }
    assert.deepEqual(await scene.run(roleSettings), []);
  },
);

test('a direct address that leads to a pooler or to another database is refused', options, async () => {
  await using scene = await openScene();
  await using other = await emptyPostgres();
  await using another = await startPgBouncer();
  const direct = withUser(other.url);
  assert.match(
    await refusalOf({ url: scene.pooled, directUrl: another.urlOf(scene.direct) }),
    /^DATABASE_DIRECT_URL leads to a pooler in transaction mode/,
  );
  assert.match(
    await refusalOf({ url: scene.pooled, directUrl: direct }),
    /^DATABASE_DIRECT_URL leads to the database "almanac_\w+", but DATABASE_URL to "almanac_\w+"\. Nothing was changed\./,
  );
  assert.deepEqual(await scene.run(roleSettings), []);
  assert.deepEqual(await runAt(direct, roleSettings), []);
  const refused = openDatabase({ url: scene.pooled, directUrl: `postgres://almanac:${PASSWORD}@127.0.0.1:1/none` });
  await assert.rejects(refused, (error) => error instanceof DirectConnectionError && !error.message.includes(PASSWORD));
});

test('a role that may not be altered is refused with the statements for a superuser', options, async () => {
  const [role, owner] = [`almanac_pooled_${runName}`, `almanac_owner_${runName}`];
  const admin = process.env.TEST_DATABASE_URL as string;
  await runAt(admin, `create role ${role} login; create role ${owner} login`);
  try {
    await using scene = await openScene({ users: [role] });
    const location = { url: withUser(scene.pooled, role), directUrl: withUser(scene.direct, owner) };
    const message = await refusalOf(location);
    assert.match(message, /lock_timeout is "0" instead of "3s", /);
    assert.ok(message.includes(`may not change the role "${role}"`), message);
    const statements = message.slice(message.indexOf('ALTER ROLE'));
    assert.equal(statements.split(';').length, Object.keys(SESSION_SETTINGS).length + 1);
    await scene.run(statements);
    const database = await openDatabase(location);
    assert.deepEqual(await readSettings(database), { ...SESSION_SETTINGS });
    await database.close();
  } finally {
    await runAt(admin, `drop role ${role}; drop role ${owner}`);
  }
});

test('a statement that waits too long for a connection of the pooler is reported as unavailable', options, async () => {
  await using scene = await openScene({ poolSize: 1, queryWaitSeconds: 0.2 });
  const database = await openDatabase({ url: scene.pooled, directUrl: scene.direct });
  const outside = new AsyncResource('test');
  await database.transaction(async (tx) => {
    await sql`select 1`.execute(tx.query());
    const waiting = outside.runInAsyncScope(() => sql`select 1`.execute(database.query()));
    await assert.rejects(waiting, (error) => isUnavailable(error));
  });
  await sql`select 1`.execute(database.query());
  await database.close();
});

test('the docs have the statements that give a role its settings', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  assert.ok(page.includes(`${alterRoleStatements('almanac', 'almanac').join(';\n')};\n`));
  // PgBouncer takes comments only on lines of their own.
  const [, configuration = ''] = page.split('; pgbouncer.ini\n');
  const values = configuration
    .split('```')[0]
    ?.split('\n')
    .filter((line) => line.includes(' = '));
  assert.ok(values !== undefined && values.length > 5);
  for (const line of values) assert.doesNotMatch(line, /;/);
});

test('settings that the pooler changes are named', options, async () => {
  await using scene = await openScene({ connectQuery: 'set statement_timeout = 12000' });
  assert.match(
    await refusalOf({ url: scene.pooled, directUrl: scene.direct }),
    /^The pooler of DATABASE_URL has connections with wrong settings, .*: statement_timeout is "12s" instead of "30s"\. .*RECONNECT in the console/,
  );
});

async function select<Row>(executor: Executor, statement: ReturnType<typeof sql>): Promise<Row> {
  return (await statement.execute(executor.query())).rows[0] as Row;
}
