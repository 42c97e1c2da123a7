import type { Condition, Expression } from './bigquery-parser.ts';
import type { AllowedQuery } from './bigquery-query.ts';
import { compare, parseValue, toNumber, type Value, ValueError } from './bigquery-values.ts';

export type Row = ReadonlyMap<string, Value>;
export type Parameters = ReadonlyMap<string, NonNullable<Value>>;

/** Runs a query on rows. Returns the rows of the result, `t` and `v`, in their order. */
export function runBigqueryQuery(
  query: AllowedQuery,
  rows: readonly Row[],
  parameters: Parameters,
): readonly (readonly [time: Value, value: Value])[] {
  const selected = rows.filter((row) => query.conditions.every((condition) => holds(condition, row, parameters)));
  const groups = query.isGrouped ? groupBy(selected, query.time) : selected.map((row) => [row]);
  const results = groups.map((group): readonly [Value, Value] => [
    evaluate(query.time, group.slice(0, 1)),
    evaluate(query.value, group),
  ]);
  // NULL comes last.
  results.sort(([a], [b]) => (a === null || b === null ? Number(a === null) - Number(b === null) : compare(b, a)));
  return results.slice(0, query.limit);
}

function holds({ column, operator, parameters: names }: Condition, row: Row, parameters: Parameters): boolean {
  const cell = row.get(column) ?? null;
  if (cell === null || operator === 'IS NOT NULL') return cell !== null;
  if (operator === 'NOT IS_NAN') return !Number.isNaN(toNumber(cell));
  return names.some((name) => {
    const parameter = parameters.get(name);
    if (parameter === undefined) throw new ValueError('a parameter is missing');
    const order = compare(cell, parameter);
    if (operator === 'IN') return order === 0;
    return operator === '<' ? order < 0 : order >= 0;
  });
}

function groupBy(rows: readonly Row[], time: Expression): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = String(evaluate(time, [row])?.value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** Evaluates an expression on a group of rows. Only aggregates read more than the first one. */
function evaluate(expression: Expression, rows: readonly Row[]): Value {
  switch (expression.kind) {
    case 'column':
      return rows[0]?.get(expression.name) ?? null;
    case 'integer':
      return integer(expression.value);
    case 'text':
      return { type: 'STRING', value: expression.value };
    case 'null':
      return null;
    case 'cast': {
      const value = evaluate(expression.value, rows);
      if (value === null) return null;
      if (expression.type === 'STRING') return { type: 'STRING', value: String(value.value) };
      return { type: 'FLOAT64', value: toNumber(value) };
    }
    case 'if': {
      const [tested, min, max] = [expression.tested, expression.min, expression.max].map((part) =>
        evaluate(part, rows),
      );
      if (!tested || !min || !max || compare(tested, min) < 0 || compare(tested, max) > 0) return null;
      return evaluate(expression.then, rows);
    }
    case 'binary':
      return calculate(expression.operator, evaluate(expression.left, rows), evaluate(expression.right, rows));
    case 'truncate': {
      const value = evaluate(expression.value, rows);
      return value === null ? null : { type: 'TIMESTAMP', value: truncate(BigInt(value.value), expression.unit) };
    }
    case 'call':
      return call(
        expression.name,
        expression.values.map((value) => evaluate(value, rows)),
      );
    case 'aggregate':
      return aggregate(
        expression.name,
        rows.map((row) => evaluate(expression.value, [row])),
      );
    case 'last':
      return last(rows.map((row) => [evaluate(expression.value, [row]), evaluate(expression.time, [row])]));
  }
}

function integer(value: bigint): NonNullable<Value> {
  if (value !== BigInt.asIntN(64, value)) throw new ValueError('integer overflow');
  return { type: 'INT64', value };
}

function requireType(value: NonNullable<Value>, type: string): bigint {
  if (value.type !== type) throw new ValueError(`not of the type ${type}`);
  return value.value as bigint;
}

function calculate(operator: string, left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  const [a, b] = [requireType(left, 'INT64'), requireType(right, 'INT64')];
  if (operator === '*') return integer(a * b);
  return integer(operator === '+' ? a + b : a - b);
}

function call(name: string, values: readonly Value[]): Value {
  const [first, second, third] = values;
  if (!first || values.includes(null)) return null;
  switch (name) {
    case 'UNIX_MICROS':
      return integer(requireType(first, 'TIMESTAMP'));
    case 'UNIX_DATE':
      return integer(requireType(first, 'DATE'));
    case 'TIMESTAMP':
      return { type: 'TIMESTAMP', value: requireType(first, 'DATETIME') };
    case 'TIMESTAMP_MICROS':
      return { type: 'TIMESTAMP', value: requireType(first, 'INT64') };
    case 'MOD':
      return integer(requireType(first, 'INT64') % BigInt(second?.value ?? 0));
    case 'DATE': {
      const days = BigInt(Date.UTC(Number(first.value), Number(second?.value) - 1, Number(third?.value))) / 86_400_000n;
      return { type: 'DATE', value: days };
    }
    default: {
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(second?.value)) ?? [];
      try {
        return parseValue('DATE', `${year}-${month}-${day}`);
      } catch {
        return null;
      }
    }
  }
}

function truncate(microseconds: bigint, unit: string): bigint {
  const date = new Date(Number(microseconds / 1_000n) - (microseconds % 1_000n < 0n ? 1 : 0));
  const month = date.getUTCMonth();
  const first = unit === 'YEAR' ? 0 : unit === 'QUARTER' ? month - (month % 3) : month;
  return BigInt(Date.UTC(date.getUTCFullYear(), first, 1)) * 1_000n;
}

function aggregate(name: string, cells: readonly Value[]): Value {
  const values = cells.filter((value) => value !== null);
  if (name === 'COUNT') return integer(BigInt(values.length));
  const [first] = values;
  if (first === undefined) return null;
  if (first.type === 'FLOAT64' || (first.type === 'INT64' && name === 'AVG')) {
    const sum = values.reduce((total, { value }) => total + Number(value), 0);
    return { type: 'FLOAT64', value: name === 'AVG' ? sum / values.length : sum };
  }
  const sum = values.reduce((total, { value }) => total + (value as bigint), 0n);
  if (first.type === 'INT64') return integer(sum);
  return { type: first.type, value: name === 'AVG' ? sum / BigInt(values.length) : sum };
}

function last(pairs: readonly (readonly [value: Value, time: Value])[]): Value {
  let best: { readonly value: NonNullable<Value>; readonly time: NonNullable<Value> } | null = null;
  for (const [value, time] of pairs) {
    if (value === null || time === null) continue;
    const order = best === null ? 1 : compare(time, best.time) || compare(value, best.value);
    if (order > 0) best = { value, time };
  }
  return best?.value ?? null;
}
