import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from '../../src/contract/index.ts';
import { type OpenApiDocument, operationsOf, type Schema } from './openapi.ts';
import { createSchemaCheck } from './schema-violations.ts';

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

test('accepts values that match', () => {
  const findViolation = createSchemaCheck(document);
  for (const value of [
    { name: 'ab' },
    { name: 'ab', kind: 'a', list: [0, 1], maybe: null, ok: false },
    { name: '💥💥', maybe: 'x' },
  ]) {
    assert.equal(findViolation(schema, value), null);
  }
});

test('names the path of every kind of violation, also behind a reference', () => {
  const findViolation = createSchemaCheck(document);
  const cases: [unknown, RegExp][] = [
    [null, /^\$ must be object/],
    [[], /^\$ must be object/],
    [{}, /^\$ must have required property 'name'/],
    [{ name: 'a' }, /^\$\/name must NOT have fewer/],
    [{ name: '💥' }, /^\$\/name must NOT have fewer/],
    [{ name: 'ab', kind: 'c' }, /^\$\/kind must be equal to one of/],
    [{ name: 'ab', list: [0, -1] }, /^\$\/list\/1 must be >= 0/],
    [{ name: 'ab', list: [0.5] }, /^\$\/list\/0 must be integer/],
    [{ name: 'ab', list: [1, 2, 3] }, /^\$\/list must NOT have more/],
    [{ name: 'ab', maybe: 'y' }, /\$\/maybe must match a schema in anyOf/],
    [{ name: 'ab', ok: true }, /^\$\/ok must be equal to constant/],
    [{ name: 'ab', more: 1 }, /^\$ must NOT have additional properties/],
  ];
  for (const [value, violation] of cases) assert.match(findViolation(schema, value) ?? '', violation);
});

test('refuses a schema with an unknown keyword', () => {
  assert.throws(() => createSchemaCheck(document)({ type: 'string', ...{ contain: {} } }, 'x'), /contain/);
});

test('knows every keyword of the OpenAPI document', () => {
  const own = JSON.parse(JSON.stringify(buildOpenApi('http://localhost'))) as OpenApiDocument;
  const findViolation = createSchemaCheck(own);
  const schemas = operationsOf(own).flatMap(({ body, responses }) => [
    body,
    ...[...responses.values()].map((response) => response.schema),
  ]);
  // By reference, so that a component is compiled once.
  const components = Object.keys(own.components.schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const known = [...components, ...schemas.filter((one) => one !== undefined)];
  assert.ok(known.length > 100);
  for (const one of known) assert.doesNotThrow(() => findViolation(one, {}));
});
