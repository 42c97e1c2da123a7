import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import { engineOf } from './engine.ts';

/** Enough runs to be sent without a name, with a new one, with a known one, and with a kept plan. */
const USES = 8;

async function openRunner() {
  const fixture = await openTestDatabase('pglite');
  const engine = engineOf(fixture.database);
  assert.ok(engine.kind === 'pglite');
  const { pglite, statements } = engine;
  await pglite.exec(`
    create table notes (id int8 primary key, title text unique, score float8 check (score >= 0), at timestamptz, tags text[],
      body jsonb, raw bytea);
    insert into notes values (1, 'one', 0.5, '2024-02-29 12:00+00', '{a,b}', '{"a": [1, null]}', '\\x00ff'),
      (2, '', null, null, '{}', 'null', null), (3, 'drei 🌍 \\n', 1e300, 'infinity', '{NULL,""}', '"text"', '\\x')`);
  return { fixture, pglite, statements };
}

type Runner = Awaited<ReturnType<typeof openRunner>>;

/** Returns the outcome of PGlite's own query, without the parameters in its errors. */
function expected({ pglite }: Runner, text: string, parameters: unknown[]) {
  return outcome(pglite.query(text, parameters, { rowMode: 'object' }));
}

async function outcome(running: Promise<unknown>): Promise<unknown> {
  try {
    return await running;
  } catch (error) {
    assert.ok(error instanceof Error);
    const { query: _1, params: _2, queryOptions: _3, ...rest } = error as unknown as Record<string, unknown>;
    // The only message with the name of the statement: for a caller with too many or too few parameters.
    const text = error.message.replace(/"almanac_\d+"/, '""');
    return { ...rest, class: error.constructor.name, text, length: undefined };
  }
}

const harmless: readonly (readonly [text: string, ...parameters: unknown[]])[] = [
  ['select * from notes order by id'],
  ['select * from notes where id = $1', 1],
  ['select * from notes where id = $1', 4],
  ['select * from notes where id = any($1) order by id desc', [1, 3]],
  ['select * from notes where title = $1 or tags @> $2 order by id', '', ['b']],
  ['select $1::jsonb as a, $2::json as b, $3::text as c', { a: 'ü' }, { b: [] }, null],
  ['select $1::bytea as a, $2::timestamptz as b, $3::date as c', Buffer.from([0, 1]), new Date(0), '2024-01-01'],
  ['select $1::int8 as a, $2::numeric as b, $3::bool as c', 9007199254740991n, '0.1', true],
  ['select $1::uuid as a, $2::interval as b', '8c6b0c5e-8c1b-4b0e-9c1d-2f1e3d4c5b6a', '1 day'],
  ['select 1 as same, 2 as same'],
  ['select from notes'],
  ['select'],
  [''],
  ['-- nothing'],
  ['update notes set score = score where id > $1', 1],
  ['update notes set score = 1 where id = $1 returning id, score', 1],
  ['delete from notes where id = $1', 77],
  ['with a as (update notes set score = 2 where id < $1 returning id) select * from a order by id', 3],
  ['insert into notes (id) values ($1) on conflict do nothing', 1],
  ['merge into notes n using (select $1::int8 as id) s on n.id = s.id when matched then update set score = 3', 2],
  ['explain (costs off) select 1'],
  ['show server_version'],
  ['values (1, $1::text)', 'x'],
];

const failing: readonly (readonly [text: string, ...parameters: unknown[]])[] = [
  ['selec 1'],
  ['select * from nowhere'],
  ['select nothing from notes where id = $1', 1],
  ['select 1; select 2'],
  ['select $1::int8 as n', 'x'],
  ['select $1::text as n', 'a\0b'],
  ['select 1 / $1::int8 as n', 0],
  ['select $1::int8 as n', 1, 2],
  ['select $1::int8 + $2 as n', 1],
  ['select 9007199254740993::int8 as too_large'],
  ['insert into notes (id) values ($1)', 1],
  ['insert into notes (id, title) values ($1, $2)', 9, 'one'],
  ['insert into notes (id, score) values ($1, $2)', 9, -1],
  ['insert into notes (id) values ($1)', null],
  ['update notes set title = $1', 'the same for all'],
  ['select * from notes where id = $1 for update nowait limit $2', 1, -1],
  ['rollback to savepoint nowhere'],
];

test('returns the results and errors of PGlite however often a statement runs', async () => {
  const runner = await openRunner();
  await using _ = runner.fixture;
  for (const [text, ...parameters] of [...harmless, ...failing]) {
    const wanted = await expected(runner, text, parameters);
    for (let use = 1; use <= USES; use += 1) {
      assert.deepEqual(await outcome(runner.statements.run(text, parameters)), wanted, `${text}, use ${use}`);
    }
  }
  for (const [text, ...parameters] of failing) {
    assert.ok('text' in ((await expected(runner, text, parameters)) as object), `${text} fails`);
  }
});

test('returns or refuses any value as PGlite does', async () => {
  const runner = await openRunner();
  await using _ = runner.fixture;
  const anyText = fc.string({ unit: fc.constantFrom('a', '"', '\\', "'", '{', ',', 'ß', '🌍', '\n', ' ') });
  const value = fc.oneof(
    ...[fc.string({ unit: 'binary' }), anyText, fc.integer(), fc.double(), fc.bigInt(), fc.boolean(), fc.jsonValue()],
    ...[fc.date({ noInvalidDate: true }), fc.uint8Array(), fc.array(anyText), fc.array(fc.option(fc.integer()))],
    ...[fc.constant(null), fc.constant(undefined)],
  );
  const types = [
    'text',
    'int4',
    'int8',
    'float8',
    'numeric',
    'bool',
    'jsonb',
    'timestamptz',
    'bytea',
    'text[]',
    'int4[]',
  ];
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom(...types), async (parameter, type) => {
      const text = `select $1::${type} as value, 'ß' as text`;
      const wanted = await expected(runner, text, [parameter]);
      assert.deepEqual(await outcome(runner.statements.run(text, [parameter])), wanted);
    }),
    { numRuns: 600, seed: 1 },
  );
});

test('accepts thousands of parameters and megabytes in one', async () => {
  const { fixture, statements } = await openRunner();
  await using _ = fixture;
  const ids = Array.from({ length: 20_000 }, (_, i) => i);
  const list = ids.map((i) => `($${i + 1}::int8)`).join(', ');
  const long = 'ä'.repeat(1_500_000);
  for (let use = 1; use <= 3; use += 1) {
    const { rows } = await statements.run<{ n: number }>(`select sum(n) as n from (values ${list}) v (n)`, ids);
    assert.equal(rows[0]?.n, 199_990_000);
    assert.deepEqual((await statements.run('select $1 as long', [long])).rows, [{ long }]);
  }
});

test('runs the next statement after an error and refuses only a parameter that cannot be serialized', async () => {
  const { fixture, statements } = await openRunner();
  await using _ = fixture;
  const circle: { self?: unknown } = {};
  circle.self = circle;
  for (let use = 1; use <= USES; use += 1) {
    await assert.rejects(statements.run('select $1::int8 as n', ['x']), { code: '22P02' });
    assert.deepEqual((await statements.run('select $1::int8 as n', [use])).rows, [{ n: use }]);
    await assert.rejects(statements.run('select $1::jsonb as n', [circle]), TypeError);
    assert.deepEqual((await statements.run('select $1::jsonb as n', [{ toJSON: () => undefined }])).rows, [
      { n: null },
    ]);
  }
});

test('does not put parameters into errors', async () => {
  const { fixture, statements } = await openRunner();
  await using _ = fixture;
  for (let use = 1; use <= USES; use += 1) {
    const error = await statements.run('select * from notes where id = 1 / $1::int8', [0]).catch((thrown) => thrown);
    for (const property of ['params', 'query', 'queryOptions']) assert.ok(!(property in error), property);
  }
});

test('keeps repeated statements prepared, up to the limit', async () => {
  const { fixture, pglite, statements } = await openRunner();
  await using _ = fixture;
  const held = async () =>
    (await pglite.query<{ statement: string }>('select statement from pg_prepared_statements')).rows;
  await statements.run('select 1 as once');
  for (let use = 1; use <= 3; use += 1) await statements.run('select 2 as again');
  assert.deepEqual(await held(), [{ statement: 'select 2 as again' }]);
  for (let n = 0; n < 450; n += 1) for (let use = 1; use <= 2; use += 1) await statements.run(`select ${n} as many`);
  await statements.run('select 3 as last');
  const statementsHeld = (await held()).map(({ statement }) => statement);
  assert.equal(statementsHeld.length, 400);
  assert.ok(statementsHeld.includes('select 449 as many') && !statementsHeld.includes('select 2 as again'));
});
