import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { jsonb } from './jsonb.ts';
import { parseArray } from './values.ts';

/** SQL expressions and the expected JavaScript values on both databases. */
const expectations: readonly (readonly [expression: string, value: unknown])[] = [
  ['null::int8', null],
  ['true', true],
  ['false', false],
  ['1::int2', 1],
  ['(-2147483648)::int4', -2147483648],
  ['9007199254740991::int8', 9007199254740991],
  ['count(*)', 1],
  ['sum(2)', 2],
  ['sum(9007199254740991::int8)', 9007199254740991],
  ['avg(2.5::numeric)', 2.5],
  ['0.1::numeric(10,4)', 0.1],
  ['(1::numeric / 3)', 1 / 3],
  ["'NaN'::numeric", Number.NaN],
  ['0.1::float8', 0.1],
  ['1e-320::float8', 1e-320],
  ["'-Infinity'::float8", Number.NEGATIVE_INFINITY],
  ['1.5::float4', 1.5],
  ["'1259'::oid", 1259],
  ["'text'::text", 'text'],
  ["'ab'::varchar(3)", 'ab'],
  ["'ab'::char(3)", 'ab '],
  ["'name'::name", 'name'],
  ["'8C6B0C5E-8C1B-4B0E-9C1D-2F1E3D4C5B6A'::uuid", '8c6b0c5e-8c1b-4b0e-9c1d-2f1e3d4c5b6a'],
  ["'\\x00ff10'::bytea", Buffer.from([0, 255, 16])],
  ['\'{"a": [1, {"b": null}]}\'::jsonb', { a: [1, { b: null }] }],
  ['\'[1, "two"]\'::json', [1, 'two']],
  ["'null'::jsonb", null],
  ["'2024-02-29'::date", '2024-02-29'],
  ["'23:59:59.5'::time", '23:59:59.5'],
  ["'1 day 02:03:04'::interval", '1 day 02:03:04'],
  ["'2024-02-29 12:34:56.789999+02'::timestamptz", new Date('2024-02-29T10:34:56.789Z')],
  ["'0099-01-01 00:00:00+00'::timestamptz", new Date('0099-01-01T00:00:00Z')],
  ["'2024-07-01 00:00:00'::timestamp", new Date('2024-07-01T00:00:00Z')],
  ["'infinity'::timestamptz", Number.POSITIVE_INFINITY],
  ["'2024-06-30 23:00:00-05'::timestamptz::date", '2024-07-01'],
  ['array[1, null, 3]::int8[]', [1, null, 3]],
  ["array['a,b', 'c\"d', '', 'NULL', null, 'e\\f', '{}']", ['a,b', 'c"d', '', 'NULL', null, 'e\\f', '{}']],
  ["'{}'::text[]", []],
  [
    'array[[1,2],[3,4]]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["array['2024-01-01 00:00:00.5+00']::timestamptz[]", [new Date('2024-01-01T00:00:00.500Z')]],
  ["array['2024-01-01']::date[]", ['2024-01-01']],
  ['array[0.5, 2]::numeric[]', [0.5, 2]],
  ['array[0.5]::float8[]', [0.5]],
  ['array[true, false]', [true, false]],
  ['array[\'{"a":1}\']::jsonb[]', [{ a: 1 }]],
  ["array['\\x01']::bytea[]", [Buffer.from([1])]],
  ["array['8C6B0C5E-8C1B-4B0E-9C1D-2F1E3D4C5B6A']::uuid[]", ['8c6b0c5e-8c1b-4b0e-9c1d-2f1e3d4c5b6a']],
];

forEachDatabase('returns the same JavaScript values on both databases', {}, async ({ database }) => {
  const columns = expectations.map(([expression], index) => `${expression} as c${index}`).join(', ');
  const { rows } = await sql<Record<string, unknown>>`select ${sql.raw(columns)}`.execute(database.query());
  for (const [index, [expression, value]] of expectations.entries()) {
    assert.deepStrictEqual(rows[0]?.[`c${index}`], value, expression);
  }
});

forEachDatabase('refuses a whole number that a JavaScript number cannot hold', {}, async ({ database }) => {
  for (const expression of [
    '9007199254740992::int8',
    'sum(9007199254740992::int8)',
    'array[9007199254740993]::int8[]',
  ]) {
    await assert.rejects(sql`select ${sql.raw(expression)} as x`.execute(database.query()), /cannot hold exactly/);
  }
  assert.deepEqual((await sql`select 1 as fine`.execute(database.query())).rows, [{ fine: 1 }]);
});

interface Tables {
  kept: {
    id: number;
    words: string[] | null;
    numbers: number[] | null;
    document: unknown;
    bytes: Uint8Array | null;
    moment: Date | null;
    flag: boolean | null;
    amount: number | null;
    day: string | null;
  };
}

forEachDatabase('returns values that were sent as parameters unchanged', {}, async ({ database }) => {
  const db = database.query<Tables>();
  await sql`create table kept (id int8 primary key, words text[], numbers float8[], document jsonb, bytes bytea, moment timestamptz, flag bool, amount numeric, day date)`.execute(
    db,
  );
  const rows: Tables['kept'][] = [
    {
      id: 1,
      words: ['a', 'b,c', 'd"e', '\\', '', 'NULL', '{x}'],
      numbers: [1.5, -0.25],
      document: { list: [1, 'two', null], text: 'é "q" \\ 😀' },
      bytes: Buffer.from([0, 1, 254, 255]),
      moment: new Date('2024-03-10T01:02:03.004Z'),
      flag: true,
      amount: 12.25,
      day: '2024-03-10',
    },
    {
      id: 2,
      words: [],
      numbers: [],
      document: {},
      bytes: Buffer.alloc(0),
      moment: new Date(0),
      flag: false,
      amount: 0,
      day: '1999-12-31',
    },
    {
      id: 3,
      words: null,
      numbers: null,
      document: null,
      bytes: null,
      moment: null,
      flag: null,
      amount: null,
      day: null,
    },
  ];
  await db.insertInto('kept').values(rows).execute();
  assert.deepStrictEqual(await db.selectFrom('kept').selectAll().orderBy('id').execute(), rows);

  const found = await db
    .selectFrom('kept')
    .select('id')
    .where('moment', '=', new Date(0))
    .where('id', '=', sql<number>`any(${[1, 2, 3]}::int8[])`)
    .execute();
  assert.deepStrictEqual(found, [{ id: 2 }]);
});

forEachDatabase(
  'stores arrays and scalar values with jsonb(), unlike a plain JavaScript array',
  {},
  async ({ database }) => {
    const db = database.query<Tables>();
    await sql`create table kept (id int8 primary key, document jsonb)`.execute(db);
    for (const [id, document] of [[1, 2, 3], ['x'], 'text', 7, null, { a: 1 }].entries()) {
      await db
        .insertInto('kept')
        .values({ id, document: jsonb(document) } as never)
        .execute();
      const row = await db.selectFrom('kept').select('document').where('id', '=', id).executeTakeFirstOrThrow();
      assert.deepStrictEqual(row.document, document);
    }
    await assert.rejects(
      db
        .insertInto('kept')
        .values({ id: 9, document: [1, 2] } as never)
        .execute(),
      { code: '22P02' },
    );
  },
);

forEachDatabase('reports the number of changed rows', {}, async ({ database }) => {
  const db = database.query<Tables>();
  await sql`create table kept (id int8 primary key, flag bool)`.execute(db);
  await db
    .insertInto('kept')
    .values([{ id: 1 }, { id: 2 }, { id: 3 }] as never)
    .execute();
  assert.equal(
    (await db.updateTable('kept').set({ flag: true }).where('id', '>', 1).executeTakeFirst()).numUpdatedRows,
    2n,
  );
  assert.equal((await db.deleteFrom('kept').where('id', '>', 7).executeTakeFirst()).numDeletedRows, 0n);
});

test('parses an array with other bounds and refuses an incomplete one', () => {
  assert.deepEqual(parseArray('[0:1]={7,8}', Number), [7, 8]);
  assert.throws(() => parseArray('{1,2', Number), SyntaxError);
  assert.throws(() => parseArray('{"a', String), SyntaxError);
});
