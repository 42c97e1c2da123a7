import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COLUMN_KINDS,
  HOSTILE_TABLE,
  HOSTILE_TEXT,
  hostileAttempt,
} from '../../../test/support/datasets/hostile-references.ts';
import { type SqlQuoting, type SqlToken, splitSql } from '../../../test/support/datasets/sql-tokens.ts';
import { columnOf, tableOf } from '../../../test/support/datasets/warehouse-tables.ts';
import { Fault } from '../../contract/index.ts';
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

const TABLE_SHAPE = /^(local\.[a-z0-9_]{1,64}|bigquery-public-data\.[A-Za-z0-9_]+\.[A-Za-z0-9_-]+)$/;

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

const type = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, HOSTILE_TEXT, fc.constant('DECIMAL(9,2)'));
const COLUMN = fc.tuple(HOSTILE_TEXT, fc.constantFrom(...COLUMN_KINDS), type).map((choice) => columnOf(...choice));
const TABLE = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('local.sales', 'bigquery-public-data.noaa.gsod') },
  HOSTILE_TABLE,
);

test('a thousand hostile references are refused or keep the only shape of a query', () => {
  const counts = { refused: 0, built: 0 };
  fc.assert(
    fc.property(hostileAttempt(COLUMN, TABLE), ({ schema, reference }) => {
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
