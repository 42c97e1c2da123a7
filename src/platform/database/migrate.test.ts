import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from './database.ts';
import { ChangedMigrationError, MigrationFailedError, NewerDatabaseError } from './errors.ts';
import { type DomainMigrations, migrate } from './migrate.ts';
import { hashMigration } from './migration-hash.ts';
import { openDatabase } from './open-database.ts';

function createsTable(table: string): Migration {
  return {
    up: async (db) => {
      await sql`create table ${sql.table(table)} (id int8)`.execute(db);
    },
  };
}

const fails: Migration = {
  up: async (db) => {
    await sql`create table half_made (id int8)`.execute(db);
    await sql`select * from no_such_table`.execute(db);
  },
};

const two: DomainMigrations[] = [
  { domain: 'zoo', migrations: { '002_cages': createsTable('cages'), '001_animals': createsTable('animals') } },
  { domain: 'air', migrations: { '001_birds': createsTable('birds') } },
];

forEachDatabase('runs each migration once, by domain in the given order and then by name', {}, async ({ database }) => {
  assert.deepEqual(await migrate(database, two), ['zoo/001_animals', 'zoo/002_cages', 'air/001_birds']);
  assert.deepEqual(await migrate(database, two), []);
  const later = [...two, { domain: 'sea', migrations: { '001_fish': createsTable('fish') } }];
  assert.deepEqual(await migrate(database, later), ['sea/001_fish']);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname in ('animals', 'cages', 'birds', 'fish') order by oid`.execute(database.query());
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['animals', 'cages', 'birds', 'fish'],
  );
});

forEachDatabase('names a failing migration and rolls the whole upgrade back', {}, async ({ database }) => {
  const broken = [...two, { domain: 'sea', migrations: { '001_fish': fails } }];
  await assert.rejects(migrate(database, broken), (error: MigrationFailedError) => {
    assert.ok(error instanceof MigrationFailedError);
    assert.equal(error.migration, 'sea/001_fish');
    assert.match(error.message, /sea\/001_fish.*no_such_table/);
    return true;
  });
  const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(database.query());
  assert.deepEqual(rows, []);
  assert.equal((await migrate(database, two)).length, 3);
});

forEachDatabase('refuses a database from a newer build without changing it', {}, async ({ database }) => {
  await migrate(database, two);
  for (const older of [[two[0]], [{ domain: 'zoo', migrations: { '001_animals': createsTable('animals') } }, two[1]]]) {
    await assert.rejects(migrate(database, older as DomainMigrations[]), (error: Error) => {
      assert.ok(error instanceof NewerDatabaseError);
      assert.match(error.message, /newer build.*(air\/001_birds|zoo\/002_cages)/);
      return true;
    });
  }
});

forEachDatabase('accepts a newer migration that is marked compatible, and no other', {}, async ({ database }) => {
  const newer = (name: string, compatible: boolean) => ({ [name]: { ...createsTable(`t${name}`), compatible } });
  await migrate(database, two);
  // As a build without marks left it.
  await sql`alter table almanac_migrations drop column compatible`.execute(database.query());
  const [zoo, air] = two as [DomainMigrations, DomainMigrations];
  const next = [{ ...zoo, migrations: { ...zoo.migrations, ...newer('003', true) } }, air];
  assert.deepEqual(await migrate(database, next), ['zoo/003']);
  const lines: object[] = [];
  const log = { info: (details: object) => void lines.push(details) };
  assert.deepEqual(await migrate(database, two, { log }), [], 'the previous build starts');
  assert.deepEqual(lines, [{ migrations: ['zoo/003'] }]);
  const sea = { domain: 'sea', migrations: { '001_fish': createsTable('fish') } };
  assert.deepEqual(await migrate(database, [...two, sea]), ['sea/001_fish'], 'and runs its own migrations');
  const edited = [{ ...zoo, migrations: { ...zoo.migrations, '003': createsTable('other') } }, air, sea];
  await assert.rejects(migrate(database, edited), ChangedMigrationError);
  await migrate(database, [zoo, { ...air, migrations: { ...air.migrations, ...newer('004', false) } }, sea]);
  await assert.rejects(migrate(database, [...two, sea]), {
    name: 'NewerDatabaseError',
    message: /does not have air\/004, and it is not marked compatible with it\. Nothing was changed\. Start that build/,
  });
});

forEachDatabase('refuses a migration that sorts before one that has run', {}, async ({ database }) => {
  await migrate(database, two);
  const late = [
    { domain: 'zoo', migrations: { ...two[0]?.migrations, '001_aardvarks': createsTable('aardvarks') } },
    two[1],
  ] as DomainMigrations[];
  await assert.rejects(migrate(database, late), /zoo\/001_aardvarks must sort after zoo\/002_cages/);
});

const hashesOf = async (database: Database) =>
  (
    await sql<{ hash: string | null }>`select hash from almanac_migrations order by domain, name`.execute(
      database.query(),
    )
  ).rows;

forEachDatabase('refuses a database that ran another form of a migration', {}, async ({ database }) => {
  await migrate(database, two);
  const edited = [
    { domain: 'zoo', migrations: { ...two[0]?.migrations, '002_cages': createsTable('larger_cages') } },
    two[1],
    { domain: 'sea', migrations: { '001_fish': createsTable('fish') } },
  ] as DomainMigrations[];
  await assert.rejects(migrate(database, edited), (error: Error) => {
    assert.ok(error instanceof ChangedMigrationError);
    assert.match(
      error.message,
      /^This database ran another form of zoo\/002_cages than .* add a new migration instead\.$/,
    );
    return true;
  });
  assert.equal((await hashesOf(database)).length, 3);
});

forEachDatabase('adds hashes to a database of a build that had none', {}, async ({ database }) => {
  await migrate(database, two);
  const before = await hashesOf(database);
  assert.ok(before.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash ?? '')));
  await sql`alter table almanac_migrations drop column hash`.execute(database.query());
  assert.deepEqual(await migrate(database, two), []);
  assert.deepEqual(await hashesOf(database), before);
  // A build without hashes can still run its migrations afterward.
  await sql`insert into almanac_migrations (domain, name) values ('sea', '001_fish')`.execute(database.query());
  await migrate(database, [...two, { domain: 'sea', migrations: { '001_fish': createsTable('fish') } }]);
  assert.ok((await hashesOf(database)).every(({ hash }) => hash !== null));
});

test('hashes the SQL of a migration and not how it is written', async () => {
  const text = (query: string): Migration => ({ up: async (db) => void (await sql.raw(query).execute(db)) });
  const hash = await hashMigration(text('create table birds (id int8)'));
  assert.equal(hash, await hashMigration(text('\n  create table birds\n    (id int8)\n')));
  assert.notEqual(hash, await hashMigration(text('create table birds (id int4)')));
  const inserts = (name: string): Migration => ({
    up: async (db) => void (await sql`insert into birds values (${name})`.execute(db)),
  });
  assert.notEqual(await hashMigration(inserts('owl')), await hashMigration(inserts('hawk')));
});

forEachDatabase('sends one statement when nothing is pending', {}, async ({ database, location }, context) => {
  await migrate(database, two);
  let statements = 0;
  const counted = {
    ...database,
    query: <T>() => {
      statements += 1;
      return database.query<T>();
    },
    transaction: () => assert.fail('no transaction'),
  };
  assert.deepEqual(await migrate(counted as typeof database, two), []);
  assert.equal(statements, 1);
  await database.close();
  const opening = performance.now();
  const again = await openDatabase(location);
  const migrating = performance.now();
  await migrate(again, two);
  context.diagnostic(
    `open ${(migrating - opening).toFixed(0)} ms, migrate with nothing to do ${(performance.now() - migrating).toFixed(1)} ms`,
  );
  await again.close();
});

forEachDatabase(
  'migrates once when four processes start together',
  { only: 'postgres' },
  async ({ database, location }) => {
    await sql`create table runs (name text)`.execute(database.query());
    const source = `
    const { openDatabase, migrate } = await import(${JSON.stringify(import.meta.resolve('./index.ts'))});
    const { sql } = await import('kysely');
    const slow = (name) => ({ up: async (db) => {
      await sql\`insert into runs values (\${name})\`.execute(db);
      await sql\`select pg_sleep(0.2)\`.execute(db);
    } });
    const database = await openDatabase({ url: process.argv[1] });
    process.stdout.write('ready ');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    const ran = await migrate(database, [{ domain: 'a', migrations: { one: slow('one'), two: slow('two') } }]);
    await database.close();
    process.stdout.write(String(ran.length));
    process.exit(0);`;
    const children = Array.from({ length: 4 }, () =>
      spawn(
        process.execPath,
        [
          '--disable-warning=ExperimentalWarning',
          '--input-type=module',
          '--eval',
          source,
          (location.directUrl ?? location.url) as string,
        ],
        {
          cwd: import.meta.dirname,
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      ),
    );
    const outputs = children.map((child) => text(child.stdout));
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.stdin.write('go\n');
    const counts = (await Promise.all(outputs)).map((output) => output.replace('ready ', '')).sort();
    assert.deepEqual(counts, ['0', '0', '0', '2']);
    const { rows } = await sql`select name from runs order by name`.execute(database.query());
    assert.deepEqual(rows, [{ name: 'one' }, { name: 'two' }]);
  },
);
