import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BodyLimits, bodyLimitsOf, MAX_BODY_VALUES, operations } from '../../contract/index.ts';
import { checkShape, parseJsonText } from './json-text.ts';

const LIMITS = bodyLimitsOf({});
const WITH_ROWS = bodyLimitsOf(operations.createForecast);

function shapeOf(text: string, maxValues = 1_000_000): string {
  try {
    checkShape(Buffer.from(text), maxValues);
  } catch (error) {
    return (error as Error).message;
  }
  return 'fine';
}

function parse(value: unknown, limits: BodyLimits = LIMITS) {
  return parseJsonText(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), limits);
}

test('refuses more than 32 levels, wherever they are', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  assert.equal(shapeOf(nested(32)), 'fine');
  assert.equal(shapeOf(nested(33)), 'The request body is nested deeper than 32 levels.');
  assert.equal(shapeOf(`{"a":${nested(31)},"b":${nested(31)}}`), 'fine');
  assert.match(shapeOf(`{"a":"\\"]","b":${nested(32)}}`), /deeper/);
  assert.equal(shapeOf(`["${'['.repeat(100)}","\\\\","\\"${'['.repeat(100)}"]`), 'fine');
});

test('refuses too many fields of one object and too many values', () => {
  const object = (fields: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, field) => [`f${field}`, 1])));
  assert.equal(shapeOf(object(256)), 'fine');
  assert.equal(shapeOf(object(257)), 'An object of the request body has more than 256 fields.');
  assert.equal(shapeOf(`[${object(200)},${object(200)}]`), 'fine');
  assert.equal(shapeOf(`{"list":[${'1,'.repeat(97)}1]}`, 99), 'fine');
  assert.equal(
    shapeOf(`{"list":[${'1,'.repeat(98)}1]}`, 99),
    'The request body has more than 99 fields and list items.',
  );
  assert.equal(shapeOf(`["${','.repeat(200)}"]`, 99), 'fine');
});

test('accepts the shape of any JSON, and survives what is not JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      assert.equal(shapeOf(JSON.stringify(value)), 'fine');
    }),
    { numRuns: 300, seed: 1 },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', 'é', '1') }), (text) => {
      shapeOf(text);
    }),
    { numRuns: 500, seed: 1 },
  );
  assert.equal(shapeOf('"\\'), 'fine');
});

test('takes inline rows out of a body, in either form', () => {
  const points = [
    { timestamp: '2024-01-03', value: 3 },
    { timestamp: '2024-01-01T00:00:00Z', value: 1 },
    { timestamp: '2024-01-02T01:00:00+01:00', value: -2.5 },
  ];
  const sources = [
    { type: 'inline', points },
    { type: 'inline', timestamps: points.map(({ timestamp }) => timestamp), values: points.map(({ value }) => value) },
  ];
  for (const source of sources) {
    const { value, rows } = parse({ source, horizon: 1 }, WITH_ROWS);
    assert.deepEqual(value, { source: { type: 'inline' }, horizon: 1 });
    assert.deepEqual(
      [...(rows?.times ?? [])],
      [0, 1, 2].map((day) => Date.UTC(2024, 0, 1 + day)),
    );
    assert.deepEqual([...(rows?.values ?? [])], [1, -2.5, 3]);
    assert.deepEqual([...(rows?.numbers ?? [])], [2, 3, 1]);
  }
  assert.equal(parse({ source: sources[0] }).rows, null, 'only where the operation takes rows');
});

test('names the first invalid rows and what is wrong with each', () => {
  const refuse = (source: object) => {
    try {
      parse({ source: { type: 'inline', ...source } }, WITH_ROWS);
    } catch (error) {
      return (error as Error).message;
    }
    return 'fine';
  };
  const good = { timestamp: '2024-01-01', value: 1 };
  assert.equal(refuse({ points: [good, { value: 1 }] }), 'source.points[1].timestamp: is required.');
  assert.equal(refuse({ points: [{ ...good, value: '1' }] }), 'source.points[0].value: must be of the type number.');
  assert.equal(refuse({ points: [{ ...good, value: null }] }), 'source.points[0].value: must be of the type number.');
  assert.equal(refuse({ points: [{ ...good, x: 1, y: 2 }] }), 'source.points[0]: unknown field "x", "y".');
  assert.equal(refuse({ points: [1] }), 'source.points[0]: must be of the type object.');
  assert.equal(refuse({ points: [] }), 'source.points: must have at least 1 item.');
  assert.equal(refuse({ points: {} }), 'source.points: must be of the type array.');
  assert.equal(refuse({}), 'source.points: is required.');
  assert.equal(refuse({ timestamps: ['2024-01-01'] }), 'source.values: is required.');
  assert.equal(
    refuse({ timestamps: ['2024-01-01'], values: [1, 2] }),
    'source.values: must have as many items as timestamps: 1, not 2.',
  );
  assert.match(refuse({ timestamps: ['yesterday'], values: [1] }), /^source\.timestamps\[0\]: must be a date, such as/);
  assert.equal(
    refuse({ points: [good], timestamps: [], values: [] }),
    'source: must contain either points, or timestamps and values.',
  );
  const many = refuse({ points: Array.from({ length: 1_000 }, () => ({ timestamp: 'x', value: 'x' })) });
  assert.equal(many.match(/source\.points/g)?.length, 5);
});

test('refuses many values besides the rows, and the name __proto__ anywhere', () => {
  const source = { type: 'inline', points: [{ timestamp: '2024-01-01', value: 1 }] };
  const models = Array.from({ length: MAX_BODY_VALUES }, () => 'x');
  assert.throws(() => parse({ source, models }, WITH_ROWS), {
    message: `The request body has more than ${MAX_BODY_VALUES} fields and list items besides its rows.`,
  });
  assert.throws(() => parse('{"a":[{"__proto__":1}]}'), /"__proto__" is not allowed/);
  assert.throws(() => parse('{"a":{"__pro\\u0074o__":1}}'), /"__proto__" is not allowed/);
  const hidden = '{"source":{"type":"inline","points":[{"timestamp":"2024-01-01","value":1,"__proto__":{}}]}}';
  assert.throws(() => parse(hidden, WITH_ROWS), /unknown field "__proto__"/);
});

test('refuses text that is not UTF-8 or not JSON', () => {
  assert.throws(() => parseJsonText(Buffer.from([0x22, 0xff, 0x22]), LIMITS), /not valid UTF-8/);
  assert.throws(() => parse('{"a":'), /not valid JSON/);
});
