import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, type QueryResult } from 'pg';
import { isUnavailable } from './errors.ts';
import { prepareRepeated } from './prepare-repeated.ts';
import { PreparedStatements } from './prepared-statements.ts';

const url = process.env.TEST_DATABASE_URL;
const options = { skip: url === undefined && 'TEST_DATABASE_URL is not set' };

/** Opens a connection with temporary tables of its own. */
async function connect(context: TestContext, prepared?: PreparedStatements) {
  const client = new Client({ connectionString: url as string });
  await client.connect();
  context.after(() => client.end());
  await client.query('create temp table note (id int primary key, text text); insert into note values (1, $$one$$)');
  prepareRepeated(client, prepared);
  const names = async (): Promise<string[]> => {
    const { rows } = await client.query('select name from pg_prepared_statements order by prepare_time');
    return rows.map(({ name }) => name);
  };
  return { client, names };
}

const BY_ID = 'select * from note where id = $1';
const select = async (client: Client, id: unknown = 1): Promise<QueryResult['rows']> =>
  (await client.query(BY_ID, [id])).rows;

test('prepares a statement at its second use, with the same result', options, async (context) => {
  const { client, names } = await connect(context);
  const found = [await select(client), await select(client), await select(client), await select(client, '1')];
  for (const rows of found) assert.deepEqual(rows, [{ id: 1, text: 'one' }]);
  assert.deepEqual(await names(), ['almanac_1']);
  await assert.rejects(client.query('select $1::int / $2::int', [1, 0]), { code: '22012' });
  await assert.rejects(client.query('select $1::int / $2::int', [1, 0]), { code: '22012' });
  // It was parsed before it failed.
  assert.equal((await client.query('select $1::int / $2::int as n', [8, 2])).rows[0].n, 4);
  assert.equal((await client.query('select $1::int / $2::int', [8, 2])).rowCount, 1);
  assert.equal((await names()).length, 2);
});

test('closes statements that are no longer kept, after the transaction', options, async (context) => {
  const { client, names } = await connect(context, new PreparedStatements(1));
  for (const text of ['select $1::int as a', 'select $1::int as b']) {
    await client.query('begin');
    await client.query(text, [1]);
    await client.query(text, [1]);
    await client.query('rollback');
  }
  assert.deepEqual(await names(), ['almanac_1', 'almanac_2']);
  await client.query('select $1::int as b', [1]);
  assert.deepEqual(await names(), ['almanac_2']);
});

test('a statement whose columns have changed runs again, unless a transaction has failed', options, async (context) => {
  const { client } = await connect(context);
  await select(client);
  await select(client);
  await client.query('alter table note add column size int');
  assert.deepEqual(await select(client), [{ id: 1, text: 'one', size: null }]);
  await select(client);
  await client.query('alter table note add column color text');
  await client.query('begin');
  await assert.rejects(select(client), (error) => isUnavailable(error));
  await client.query('rollback');
  assert.deepEqual(await select(client), [{ id: 1, text: 'one', size: null, color: null }]);
});

test('a statement that something else has removed runs again', options, async (context) => {
  const { client, names } = await connect(context);
  await select(client);
  await select(client);
  await client.query('discard all');
  await client.query('create temp table note as select 2 as id');
  assert.deepEqual(await select(client, 2), [{ id: 2 }]);
  await select(client, 2);
  await select(client, 2);
  assert.equal((await names()).length, 1);
});

test('leaves statements without values and those with callbacks alone', options, async (context) => {
  const { client, names } = await connect(context);
  for (let i = 0; i < 3; i += 1) {
    await client.query('select 1');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    client.query('select $1::int as n', [5], (_error, { rows }) => resolve(rows));
    assert.deepEqual(await promise, [{ n: 5 }]);
  }
  assert.deepEqual(await names(), []);
});
