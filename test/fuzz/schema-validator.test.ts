import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from '../../src/contract/index.ts';
import type { OpenApiDocument, Schema } from './openapi.ts';
import { breachOf } from './schema-validator.ts';

const document = {
  paths: {},
  components: { schemas: { Name: { type: 'string', minLength: 2 } } },
} as const satisfies OpenApiDocument;

const schema: Schema = {
  type: 'object',
  properties: {
    name: { $ref: '#/components/schemas/Name' },
    kind: { enum: ['a', 'b'] },
    list: { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 2 },
    maybe: { anyOf: [{ type: 'string', pattern: '^x' }, { type: 'null' }] },
    ok: { type: 'boolean', const: false },
  },
  required: ['name'],
  additionalProperties: false,
};

test('what fits is not a breach', () => {
  for (const value of [
    { name: 'ab' },
    { name: 'ab', kind: 'a', list: [0, 1], maybe: null, ok: false },
    { name: '💥💥', maybe: 'x' },
  ]) {
    assert.equal(breachOf(schema, value, document), null);
  }
});

test('every kind of breach is found, with its place', () => {
  const cases: [unknown, RegExp][] = [
    [null, /^\$ is not of type object/],
    [[], /^\$ is not of type object/],
    [{}, /^\$ lacks name/],
    [{ name: 'a' }, /^\$\.name is too short/],
    [{ name: '💥' }, /^\$\.name is too short/],
    [{ name: 'ab', kind: 'c' }, /^\$\.kind is not in the list/],
    [{ name: 'ab', list: [0, -1] }, /^\$\.list\[1\] is too small/],
    [{ name: 'ab', list: [0.5] }, /^\$\.list\[0\] is not of type integer/],
    [{ name: 'ab', list: [1, 2, 3] }, /^\$\.list has too many/],
    [{ name: 'ab', maybe: 'y' }, /^\$\.maybe fits none/],
    [{ name: 'ab', ok: true }, /^\$\.ok is not false/],
    [{ name: 'ab', more: 1 }, /^\$ has undocumented more/],
  ];
  for (const [value, breach] of cases) assert.match(breachOf(schema, value, document) ?? '', breach);
});

test('a keyword it does not know is an error, not a pass', () => {
  assert.throws(() => breachOf({ type: 'string', ...{ contains: {} } }, 'x', document), /contains/);
});

test('it knows every keyword of our document', () => {
  const text = JSON.stringify(buildOpenApi('http://localhost'));
  const own = JSON.parse(text) as OpenApiDocument;
  for (const named of Object.values(own.components.schemas)) assert.doesNotThrow(() => breachOf(named, {}, own));
});
