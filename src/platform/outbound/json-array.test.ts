import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeededRandom } from '../../../test/support/platform/seeded-random.ts';
import { type JsonArrayOptions, parseJsonArray } from './json-array.ts';

async function parse(text: string | Buffer, options: JsonArrayOptions = { batchBytes: 1 }): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const batch of parseJsonArray(Buffer.from(text), options)) elements.push(...batch);
  return elements;
}

const ELEMENTS = [
  'a "quoted" part, a ] and a }',
  'a backslash at the end \\',
  '\\"',
  { text: ']},{"', nested: [{ deep: [[1, 2], { x: '[' }] }] },
  'żółw 🐢',
  [],
  {},
  '',
  -1.5e10,
  null,
  true,
];

test('returns the same elements as JSON.parse, in batches of any size', async () => {
  for (const text of [
    JSON.stringify(ELEMENTS),
    JSON.stringify(ELEMENTS, null, 2),
    ` \r\n\t${JSON.stringify(ELEMENTS)}\n`,
  ]) {
    for (const batchBytes of [1, 7, 50, 100_000]) assert.deepEqual(await parse(text, { batchBytes }), ELEMENTS);
  }
  assert.deepEqual(await parse('[]'), []);
  assert.deepEqual(await parse(' [ \n ] '), []);
});

test('refuses whatever JSON.parse refuses, and documents that are not arrays', async () => {
  const texts = [
    '',
    ' ',
    '[',
    ']',
    '{}',
    '"[]"',
    '7',
    'null',
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[1 2]',
    '[1]]',
    '[[1]',
    '[1}',
    '[{]',
  ];
  texts.push(
    '[1],[2]',
    '["a]',
    '["a\\"]',
    '[1]x',
    '\ufeff[1]',
    '[1,2',
    "['a']",
    '<html>[1]</html>',
    '[1,\u00a0]',
    '[}{]',
  );
  for (const text of texts) {
    await assert.rejects(parse(text), SyntaxError, text);
    await assert.rejects(parse(text, {}), SyntaxError, text);
  }
  await assert.rejects(parse(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), SyntaxError, 'not UTF-8');
});

test('refuses every truncation and agrees with JSON.parse on damaged documents', async () => {
  const text = Buffer.from(JSON.stringify(ELEMENTS));
  for (let length = 0; length < text.length; length++) {
    await assert.rejects(parse(text.subarray(0, length)), SyntaxError, `${length} bytes`);
  }
  const random = createSeededRandom(1);
  for (let round = 0; round < 500; round++) {
    const damaged = Buffer.from(text);
    damaged[Math.floor(random() * damaged.length)] = 0x20 + Math.floor(random() * 0x5e);
    const expected = readArray(damaged);
    if (expected === null) await assert.rejects(parse(damaged), SyntaxError, damaged.toString());
    else assert.deepEqual(await parse(damaged), expected);
  }
});

test('refuses an element that is too large without parsing it', async () => {
  const limits = { batchBytes: 10, maxElementBytes: 1_000 };
  for (const huge of ['x'.repeat(2_000), Array(1_000).fill(1), { a: { b: 'x'.repeat(2_000) } }]) {
    await assert.rejects(parse(JSON.stringify([1, huge, 2]), limits), /too large/);
  }
  assert.equal((await parse(JSON.stringify([1, 'x'.repeat(900), 2]), limits)).length, 3);
});

test('does not quote the document in its errors', async () => {
  await assert.rejects(parse('["hunter2" hunter3]'), (error) => !/hunter/.test(String(error)));
});

test('lets other work run between batches, which have a bounded size', async () => {
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'x'.repeat(100) }))));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const sizes: number[] = [];
  for await (const batch of parseJsonArray(bytes, { batchBytes: 64 * 1024 })) sizes.push(JSON.stringify(batch).length);
  isDone = true;
  assert.ok(sizes.length >= 30, `${sizes.length} batches`);
  assert.ok(turns >= sizes.length - 1, `${turns} turns`);
  assert.ok(Math.max(...sizes) < 70_000, `${Math.max(...sizes)} bytes`);
});

function readArray(bytes: Buffer): unknown[] | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
