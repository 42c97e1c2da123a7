import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SqlQuoting, type SqlToken, splitSql } from '../../../test/support/datasets/sql-tokens.ts';
import { columnOf, tableOf } from '../../../test/support/datasets/warehouse-tables.ts';
import { AGGREGATE_FREQUENCIES, AGGREGATE_FUNCTIONS, Fault, TIME_FORMATS } from '../../contract/index.ts';
import { BIGQUERY_DIALECT } from './bigquery/bigquery-dialect.ts';
import { buildQuery, type SqlDialect } from './build-query.ts';
import { checkReference } from './check-reference.ts';
import { DUCKDB_DIALECT } from './duckdb/duckdb-dialect.ts';
import type { ColumnKind, FilterValue, WarehouseColumn, WarehouseQuery } from './engine.ts';
import { parseTableName } from './table-name.ts';

const DIALECTS: Record<string, { readonly dialect: SqlDialect; readonly quoting: SqlQuoting }> = {
  duckdb: { dialect: DUCKDB_DIALECT, quoting: { quote: '"', quoteInside: 'doubled', parameter: '$' } },
  bigquery: { dialect: BIGQUERY_DIALECT, quoting: { quote: '`', quoteInside: 'backslash', parameter: '@' } },
};

const FRAGMENTS = [
  ...["'", '"', '`', '\\', '\\`', '""', "''", "'''", '--', '/*', '*/', '#', ';', '; DROP TABLE x; --', ') OR (1=1'],
  ...["' OR '1'='1", '" OR 1=1 --', '` UNION ALL SELECT 1, 2 --', '\\` OR 1=1 #', "\\' OR 1=1 --", "E'\\x27'"],
  ...['’', '＇', '＂', '｀', 'ʼ', '\u2028', '\u202e', '\u0000', '\u001a', '\n', '\r\n', '\t', '\ufeff', '\ud83d\ude00'],
  ...['@p0', '$p0', '$1', ':p0', '?', '{{x}}', '$(x)', '%s', '%27', '&#39;', '$$', '$q$', "r'''", '@@version'],
  ...[
    'p0',
    't',
    'v',
    'T',
    'V',
    '1',
    'NULL',
    'select',
    'day',
    '_1',
    'a',
    'B',
    ' ',
    '.',
    '*',
    '[0]',
    "read_csv('/etc/x')",
  ],
  ...['__proto__', 'constructor', 'toString', 'x'.repeat(290)],
];
const TABLES = [
  ...['local.sales', 'bigquery-public-data.noaa.gsod', 'my-project.sales.orders', "local.sales' --", 'local.sales;'],
  ...['`bigquery-public-data.a.b`', 'bigquery-public-data.a.b` --', 'bigquery-public-data.a`.b', 'local."x"'],
  ...['bigquery-public-data.a.b\\', "bigquery-public-data.a.b WHERE '1'='1'", 'local.x/../y', 'local.read_csv(x)'],
];
const TABLE_SHAPE = /^(local\.[a-z0-9_]{1,64}|bigquery-public-data\.[A-Za-z0-9_]+\.[A-Za-z0-9_-]+)$/;

const KINDS: ColumnKind[] = ['text', 'integer', 'number', 'boolean', 'date', 'datetime', 'timestamp', 'other'];
const hostile = fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const type = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, hostile, fc.constant('DECIMAL(9,2)'));
const column = fc.tuple(hostile, fc.constantFrom(...KINDS), type).map((choice) => columnOf(...choice));
const columns = fc.uniqueArray(column, { minLength: 6, maxLength: 12, selector: ({ name }) => name });

/** Values that fit each kind, so that many references are accepted. */
const FITTING: Record<ColumnKind, fc.Arbitrary<FilterValue>> = {
  text: hostile,
  integer: fc.oneof(fc.maxSafeInteger(), fc.constant('42')),
  number: fc.oneof(fc.integer({ min: -999, max: 999 }), fc.constant('-1.25')),
  boolean: fc.boolean(),
  date: fc.constant('2024-02-29'),
  datetime: fc.constant('2024-02-29T12:00:00'),
  timestamp: fc.constant('2024-02-29T12:00:00+01:00'),
  other: hostile,
};
const bound = (text: string) => fc.constantFrom(text, undefined, text, undefined, `${text}' --`);

/** Returns mostly the usual value, so that many references are accepted. */
const mostly = <Usual, Other>(usual: fc.Arbitrary<Usual>, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: other });

/** A schema with hostile names, and a reference of which most names are in it. */
const attempt = columns.chain((schema) => {
  const ofKind = (...kinds: ColumnKind[]) => {
    const fitting = schema.filter(({ kind }) => kinds.includes(kind));
    return fc.constantFrom(...(fitting.length === 0 ? schema : fitting));
  };
  const filter = ofKind(...KINDS.slice(0, -1)).chain(({ name, kind }) =>
    fc.record({
      field: mostly(fc.constant(name), hostile),
      values: fc.array(mostly(FITTING[kind], fc.oneof(hostile, fc.double())), { minLength: 1, maxLength: 3 }),
    }),
  );
  const time = ofKind('date', 'datetime', 'timestamp', 'integer').chain(({ name, kind }) =>
    fc.record({
      time_field: mostly(fc.constant(name), hostile),
      time_format: kind === 'integer' ? fc.constantFrom(...TIME_FORMATS) : fc.constant(undefined),
    }),
  );
  const others = fc.record({
    type: fc.constant('warehouse_table' as const),
    table: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...TABLES.slice(0, 2)) },
      fc.constantFrom(...TABLES, ...FRAGMENTS),
    ),
    value_field: mostly(
      ofKind('integer', 'number').map(({ name }) => name),
      hostile,
    ),
    filters: fc.option(fc.array(filter, { maxLength: 2 }), { nil: undefined }),
    start: bound('2024-01-15T00:00:00Z'),
    end: bound('2026-01-15T00:00:00Z'),
    aggregate: fc.option(
      fc.record({
        function: fc.constantFrom(...AGGREGATE_FUNCTIONS),
        frequency: fc.constantFrom(...AGGREGATE_FREQUENCIES),
      }),
      { nil: undefined },
    ),
  });
  return fc.tuple(time, others).map(([one, other]) => ({ schema, reference: { ...one, ...other } }));
});

/** Returns the query with harmless names and texts. Numbers stay, because the types of their parameters can depend on them. */
function disarm(query: WarehouseQuery, rename: (column: WarehouseColumn) => WarehouseColumn): WarehouseQuery {
  const values = (kind: ColumnKind, all: readonly FilterValue[]) => all.map((one) => (kind === 'text' ? 'x' : one));
  return {
    ...query,
    time: { ...query.time, column: rename(query.time.column) },
    value: rename(query.value),
    filters: query.filters.map((filter) => ({
      column: rename(filter.column),
      values: values(filter.column.kind, filter.values),
    })),
  };
}

const EXPRESSION = String.raw`[\w ,*+()[\].%<>=/'-]+?`;
const OPERAND = String.raw`[\w ()@$,]+?`;
/** The only shape of a query, after its tokens are joined by spaces. Names are c0, c1, …. */
const SHAPE = new RegExp(
  `^SELECT ${EXPRESSION} AS t , ${EXPRESSION} AS v FROM the_table WHERE (c\\d+) IS NOT NULL AND (c\\d+) IS NOT NULL( AND NOT (isnan|IS_NAN) \\( \\2 \\))?( AND \\1 >= ${OPERAND})?( AND \\1 < ${OPERAND})?( AND c\\d+ IN \\( ${OPERAND} \\))*( GROUP BY 1)? ORDER BY 1 DESC LIMIT 51000$`,
);

function requireAllowed(query: WarehouseQuery, schema: readonly WarehouseColumn[], name: string): void {
  const { dialect, quoting } = DIALECTS[name] ?? assert.fail();
  const harmlessNames = new Map(schema.map((one, index) => [one.name, `c${index}`]));
  const nameOf = (original: string) => harmlessNames.get(original) ?? assert.fail(`no column is named ${original}`);
  const { sql, parameters } = buildQuery(query, 'the_table', dialect);
  const tokens = splitSql(sql, quoting).map((token): SqlToken => {
    return token.kind === 'name' ? { kind: 'name', value: nameOf(token.value) } : token;
  });
  const harmless = buildQuery(
    disarm(query, (one) => ({ ...one, name: nameOf(one.name) })),
    'the_table',
    dialect,
  );
  assert.deepEqual(tokens, splitSql(harmless.sql, quoting));
  assert.match(tokens.map(({ value }) => value).join(' '), SHAPE);
  const placeholders = tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value.slice(1));
  assert.deepEqual(
    placeholders,
    parameters.map((parameter) => parameter.name),
  );
  const bounds = [query.from, query.to].filter((bound) => bound !== null).length;
  assert.deepEqual(
    parameters.slice(bounds).map(({ value }) => value),
    query.filters.flatMap(({ values }) => values),
  );
}

test('a thousand hostile references are refused or keep the only shape of a query', () => {
  const counts = { refused: 0, built: 0 };
  fc.assert(
    fc.property(attempt, ({ schema, reference }) => {
      let query: WarehouseQuery;
      try {
        parseTableName(reference.table);
        assert.match(reference.table, TABLE_SHAPE);
        query = checkReference(reference, tableOf(schema, reference.table), { cutoff: null });
      } catch (error) {
        assert.ok(error instanceof Fault, String(error));
        counts.refused++;
        return;
      }
      counts.built++;
      for (const name of Object.keys(DIALECTS)) requireAllowed(query, schema, name);
    }),
    { seed: 25, numRuns: 1_000 },
  );
  assert.ok(counts.built >= 200 && counts.refused >= 200, JSON.stringify(counts));
});
