import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { bodyLimitsOf, formatBytes } from './body-limits.ts';
import { type Operation, operations } from './index.ts';

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
}

/** The longest way to write a double. */
const NUMBER_BYTES = '-1.2345678901234567e-300'.length;
/** A character in the escaped form that many clients send, such as \u00e9. */
const ESCAPED_BYTES = 6;
const TIMESTAMP_BYTES = '"9999-12-31T23:59:59.999999+23:59"'.length;

/** Returns the number of bytes of the longest compact JSON text that a schema accepts. */
function longest(schema: Schema, defs: Readonly<Record<string, Schema>>, field = ''): number {
  if (schema.$ref) return longest(defs[schema.$ref.replace('#/$defs/', '')] ?? {}, defs, field);
  const inner = (one: Schema, name = field) => longest(one, defs, name);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return Math.max(...choices.map((choice) => inner(choice)));
  if (schema.const !== undefined) return JSON.stringify(schema.const).length;
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length));
  if (schema.type === 'boolean') return 'false'.length;
  if (schema.type === 'null') return 'null'.length;
  if (schema.type === 'number' || schema.type === 'integer') return NUMBER_BYTES;
  if (schema.type === 'array') return 2 + (schema.maxItems ?? Number.NaN) * (1 + inner(schema.items ?? {}));
  if (schema.type === 'string') return longestString(schema, field);
  if (schema.properties === undefined) {
    const each = inner(schema.propertyNames ?? {}) + inner(schema.additionalProperties as Schema) + 2;
    return 2 + (schema.maxProperties ?? Number.NaN) * each;
  }
  const fields = Object.entries(schema.properties);
  return 2 + fields.reduce((sum, [name, value]) => sum + name.length + 4 + inner(value, name), 0);
}

function longestString({ maxLength, pattern, format }: Schema, field: string): number {
  if (format === 'date-time' || format === 'date') return TIMESTAMP_BYTES;
  const bound = maxLength ?? Number(/\{\d+,(\d+)\}/.exec(pattern ?? '')?.[1] ?? Number.NaN) + 2;
  // Ids, slugs, email addresses and texts with a pattern are ASCII.
  const isAscii = pattern !== undefined || format === 'email' || /(^|_)ids?$/.test(field);
  return 2 + bound * (isAscii ? 1 : ESCAPED_BYTES);
}

test('the longest valid body of every operation is within its size limit', () => {
  for (const [id, op] of Object.entries<Operation>(operations)) {
    if (op.body === undefined || op.action === 'forecast.create') continue;
    const { $defs = {}, ...schema } = z.toJSONSchema(op.body, { io: 'input' }) as Schema & {
      $defs?: Record<string, Schema>;
    };
    const bytes = longest(schema, $defs);
    const limit = bodyLimitsOf(op).bytes;
    assert.ok(bytes <= limit, `${id}: ${bytes} bytes, but the limit is ${limit}`);
    assert.ok(limit === 16 * 1024 || bytes > limit / 4, `${id}: ${bytes} bytes need no limit of ${limit}`);
  }
});

test('50,000 rows in the longest usual form are within the limits of creating and estimating a forecast', () => {
  const { bytes, values, rows = 0 } = bodyLimitsOf(operations.createForecast);
  assert.deepEqual(bodyLimitsOf(operations.estimateForecast), { bytes, values, rows });
  const row = `"2024-01-31T00:00:00.000Z",${'-1.2345678901234567e-300'},`;
  assert.ok(rows * row.length < bytes);
  assert.ok(3 * rows < values);
});

test('formats a size in the largest unit that divides it', () => {
  assert.deepEqual([1_000, 16_384, 4 * 1024 ** 2, 1.5 * 1024 ** 3, 20 * 1024 ** 3].map(formatBytes), [
    '1000 bytes',
    '16 KiB',
    '4 MiB',
    '1536 MiB',
    '20 GiB',
  ]);
});
