import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllowedQuery } from '../../../../test/support/datasets/bigquery-server.ts';
import { AGGREGATE_FREQUENCIES, AGGREGATE_FUNCTIONS, TIME_FORMATS } from '../../../contract/index.ts';
import { buildQuery } from '../build-query.ts';
import type { WarehouseColumn, WarehouseQuery } from '../engine.ts';
import { BIGQUERY_DIALECT } from './bigquery-dialect.ts';

const column = (name: string, kind: WarehouseColumn['kind']): WarehouseColumn => ({ name, kind, type: 'X' });
const TABLE = '`bigquery-public-data`.`d`.`t`';
const QUERY: WarehouseQuery = {
  time: { column: column('day', 'date'), format: null },
  value: column('x', 'number'),
  filters: [{ column: column('a`b\\c', 'text'), values: ['1', '2'] }],
  from: 1,
  to: 2,
  aggregate: null,
  maxRows: 10,
};

test('quotes names', () => {
  assert.equal(BIGQUERY_DIALECT.quote('day'), '`day`');
  assert.equal(BIGQUERY_DIALECT.quote('a`b\\c\\`'), '`a\\`b\\\\c\\\\\\``');
});

test('writes the parts of queries', () => {
  const { microseconds, periodStart, lastValue, toDouble } = BIGQUERY_DIALECT;
  const integer = column('n', 'integer');
  assert.deepEqual(
    [
      microseconds(column('d', 'date'), null),
      microseconds(column('d', 'datetime'), null),
      microseconds(column('d', 'timestamp'), null),
      ...TIME_FORMATS.map((format) => microseconds(integer, format)),
    ],
    [
      'UNIX_DATE(`d`) * 86400000000',
      "UNIX_MICROS(TIMESTAMP(`d`, 'UTC'))",
      'UNIX_MICROS(`d`)',
      'IF(`n` BETWEEN 1800 AND 2200, UNIX_DATE(DATE(`n`, 1, 1)) * 86400000000, NULL)',
      "IF(`n` BETWEEN 18000101 AND 22001231, UNIX_DATE(SAFE.PARSE_DATE('%Y%m%d', CAST(`n` AS STRING))) * 86400000000, NULL)",
      'IF(`n` BETWEEN -5364662400 AND 7289654399, `n` * 1000000, NULL)',
      'IF(`n` BETWEEN -5364662400000 AND 7289654399999, `n` * 1000, NULL)',
    ],
  );
  assert.equal(periodStart('m', '1h'), 'm - MOD(MOD(m, 3600000000) + 3600000000, 3600000000)');
  assert.equal(periodStart('m', '1W-MON'), 'm - MOD(MOD(m + 259200000000, 604800000000) + 604800000000, 604800000000)');
  assert.equal(periodStart('m', '1QE'), 'UNIX_MICROS(TIMESTAMP_TRUNC(TIMESTAMP_MICROS(m), QUARTER))');
  assert.equal(toDouble('SUM(`x`)'), 'CAST(SUM(`x`) AS FLOAT64)');
  assert.equal(lastValue('v', 't'), 'ARRAY_AGG(v IGNORE NULLS ORDER BY t DESC, v DESC LIMIT 1)[SAFE_OFFSET(0)]');
  for (const kind of ['text', 'boolean', 'number', 'other', 'integer'] as const) {
    assert.throws(() => microseconds(column('x', kind), null), TypeError);
  }
});

test('every query has the allowed shape', () => {
  const times: readonly WarehouseQuery['time'][] = [
    ...(['date', 'datetime', 'timestamp'] as const).map((kind) => ({ column: column('when', kind), format: null })),
    ...TIME_FORMATS.map((format) => ({ column: column('when', 'integer'), format })),
  ];
  const aggregates = AGGREGATE_FREQUENCIES.flatMap((frequency) =>
    AGGREGATE_FUNCTIONS.map((name) => ({ function: name, frequency })),
  );
  for (const time of times) {
    for (const aggregate of [null, ...aggregates]) {
      const { sql } = buildQuery({ ...QUERY, time, aggregate }, TABLE, BIGQUERY_DIALECT);
      const value = { ...QUERY.value, type: 'FLOAT64' };
      const double = parseAllowedQuery(buildQuery({ ...QUERY, time, aggregate, value }, TABLE, BIGQUERY_DIALECT).sql);
      assert.deepEqual(double.conditions[2], { column: 'x', operator: 'NOT IS_NAN', parameters: [] });
      const parsed = parseAllowedQuery(sql);
      assert.deepEqual([parsed.dataset, parsed.table, parsed.limit], ['d', 't', 10]);
      assert.deepEqual([...parsed.columns].sort(), ['a`b\\c', 'when', 'x']);
      assert.equal(parsed.isGrouped, aggregate !== null);
      assert.deepEqual(
        parsed.conditions.map(({ operator, parameters }) => [operator, ...parameters]),
        [['IS NOT NULL'], ['IS NOT NULL'], ['>=', 'p0'], ['<', 'p1'], ['IN', 'p2', 'p3']],
      );
    }
  }
});

test('no other query has the allowed shape', () => {
  const { sql } = buildQuery(QUERY, TABLE, BIGQUERY_DIALECT);
  const replaced = (from: string, to: string) => {
    assert.ok(sql.includes(from), from);
    return sql.replace(from, to);
  };
  const others = [
    '',
    'SELECT 1',
    `${sql};`,
    `${sql} `.repeat(2),
    `${sql} -- x`,
    `${sql} /* x */`,
    `${sql} UNION ALL ${sql}`,
    replaced('LIMIT 10', 'LIMIT 10 OFFSET 1'),
    replaced(TABLE, '`other`.`d`.`t`'),
    replaced(TABLE, `${TABLE}, ${TABLE}`),
    replaced(TABLE, `(SELECT * FROM ${TABLE})`),
    replaced(TABLE, '`bigquery-public-data.d.t`'),
    replaced('WHERE', 'WHERE TRUE OR'),
    replaced(' AND `day` >= @p0', ' OR `day` >= @p0'),
    replaced(' AND `day` >= @p0', " AND `day` >= '2024-01-01'"),
    replaced(' AND `day` >= @p0', ' AND `x` >= @p0'),
    replaced('`day` IS NOT NULL', '`x` IS NOT NULL'),
    replaced('`day` IS NOT NULL AND ', ''),
    replaced('`x` IS NOT NULL AND ', ''),
    replaced('`x` IS NOT NULL', '`y` IS NOT NULL'),
    replaced('`x` IS NOT NULL', '`x` IS NOT NULL AND NOT IS_NAN(`day`)'),
    replaced('`x` IS NOT NULL', '`x` IS NOT NULL AND IS_NAN(`x`)'),
    replaced('@p2', '1'),
    replaced('@p2', "'x'"),
    replaced('(@p2, @p3)', '(SELECT 1)'),
    replaced('CAST(`x` AS FLOAT64)', 'CAST(`x` AS FLOAT64), 1'),
    replaced('CAST(`x` AS FLOAT64)', 'CAST(`x` AS STRING), `day`'),
    replaced('CAST(`x` AS FLOAT64)', 'CAST(SUM(`x`) AS FLOAT64)'),
    replaced('CAST(`x` AS FLOAT64)', 'SESSION_USER()'),
    replaced('CAST(`x` AS FLOAT64)', '`x` + `y`'),
    replaced('AS v', 'AS w'),
    replaced('ORDER BY 1 DESC', 'ORDER BY 1'),
    replaced('ORDER BY 1', 'GROUP BY 1 ORDER BY 1'),
    replaced('`x`', '`x'),
    replaced('`x`', '`x\\`'),
    replaced(' AND ', '\nAND '),
    replaced('SELECT', 'SELECT  '),
  ];
  for (const [i, other] of others.entries()) assert.throws(() => parseAllowedQuery(other), `query ${i}: ${other}`);
  parseAllowedQuery(sql);
});
