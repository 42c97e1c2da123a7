import fc, { type Arbitrary } from 'fast-check';

/** Values of every type that programs often mishandle. */
export const HOSTILE_VALUES: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    0.1,
    Number.MAX_SAFE_INTEGER,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    -(2 ** 63),
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u200b',
    'İstanbul',
    '../../etc/passwd',
    "'; DROP TABLE account; --",
    '{{7*7}}',
    '%s%n%x',
    'NaN',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    'x'.repeat(5_000),
    [],
    {},
    [[[[]]]],
    { toString: 'x' },
    { length: -1 },
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
);

const HOSTILE_NAMES = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    'id',
    'account_id',
    '$ref',
    '\u0000',
    '\ud800',
    'x'.repeat(500),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Characters that pass a check of length and break later processing. */
const HOSTILE_CHARACTERS = [
  '\u0000',
  '\ud800',
  '\udfff',
  '\u0001',
  '\u007f',
  '\u202e',
  '\ufeff',
  '\uffff',
  '💥',
  'İ',
  '"',
  '\\',
  '%00',
];

type Mutation = (value: unknown) => unknown;

/** Changes of a JSON value: a field removed, renamed, replaced or added, or the whole value replaced. */
function mutations(): Arbitrary<Mutation> {
  const field = fc.nat();
  return fc.oneof(
    { weight: 2, arbitrary: field.map((index) => onField(index, () => [])) },
    {
      weight: 2,
      arbitrary: fc.tuple(field, HOSTILE_NAMES).map(([index, name]) => onField(index, (_, value) => [[name, value]])),
    },
    {
      weight: 4,
      arbitrary: fc.tuple(field, HOSTILE_VALUES).map(([index, value]) => onField(index, (name) => [[name, value]])),
    },
    { weight: 2, arbitrary: fc.tuple(HOSTILE_NAMES, HOSTILE_VALUES).map(([name, value]) => withField(name, value)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(field, field)
        .map(([index, depth]) => onField(index, (name, value) => [[name, nested(value, depth % 60)]])),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(field, field, fc.constantFrom(...HOSTILE_CHARACTERS))
        .map(([index, at, character]) =>
          onField(index, (name, value) => [[name, withCharacter(value, at, character)]]),
        ),
    },
    { weight: 1, arbitrary: HOSTILE_VALUES.map((value) => () => value) },
  );
}

/** Changes valid JSON values in one to three ways. */
export function mutated(values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(values, fc.array(mutations(), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce((changed, change) => change(changed), value));
}

type Entry = readonly [string, unknown];

function onField(index: number, change: (name: string, value: unknown) => readonly Entry[]): Mutation {
  return (whole) => {
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return whole;
    const entries = Object.entries(whole);
    const chosen = entries.length === 0 ? -1 : index % entries.length;
    return fromEntries(
      entries.flatMap(([name, value], at) => (at === chosen ? change(name, value) : [[name, value] as const])),
    );
  };
}

function withCharacter(value: unknown, at: number, character: string): unknown {
  if (typeof value !== 'string') return character;
  const position = at % (value.length + 1);
  return value.slice(0, position) + character + value.slice(position);
}

function withField(name: string, value: unknown): Mutation {
  return (whole) => {
    const entries = typeof whole === 'object' && whole !== null ? Object.entries(whole) : [];
    return fromEntries([...entries, [name, value]]);
  };
}

/** `Object.fromEntries` defines properties, so even `__proto__` becomes a field that JSON.stringify writes. */
function fromEntries(entries: readonly Entry[]): unknown {
  return Object.fromEntries(entries);
}

function nested(value: unknown, depth: number): unknown {
  let whole = value;
  for (let level = 0; level < depth; level++) whole = level % 2 ? [whole] : { a: whole };
  return whole;
}

/** Corrupts the bytes of a JSON text. */
export function corrupted(texts: Arbitrary<string>): Arbitrary<Buffer> {
  const index = fc.nat();
  const cut = (text: string, at: number) => at % (text.length + 1);
  return fc.oneof(
    fc.tuple(texts, index).map(([text, at]) => Buffer.from(text.slice(0, cut(text, at)))),
    fc.tuple(texts, index, fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([text, at, bytes]) => {
      const whole = Buffer.from(text);
      return Buffer.concat([
        whole.subarray(0, at % (whole.length + 1)),
        bytes,
        whole.subarray(at % (whole.length + 1)),
      ]);
    }),
    texts.map((text) => Buffer.from(`\ufeff${text}`)),
    texts.map((text) => Buffer.from(text, 'utf16le')),
    texts.map((text) => Buffer.from(`${text}${text}`)),
    texts.map((text) => Buffer.from(text.replace(/^\{/, '{"name":1,"name":2,'))),
    texts.map((text) => Buffer.from(text.replace(/^\{/, '{"__proto__":{"polluted":true},'))),
    texts.map((text) => Buffer.from(text.replace(/^\{/, '{"constructor":{"prototype":{"polluted":true}},'))),
    texts.map((text) => Buffer.from(text.replace(/:"/, ':"\\ud800'))),
    texts.map((text) => Buffer.from(text.replace(/:"[^"]*"/, ':1e999'))),
    texts.map((text) => Buffer.from(text.replace(/:"[^"]*"/, `:${'9'.repeat(400)}`))),
    fc.integer({ min: 30, max: 20_000 }).map((depth) => Buffer.from('['.repeat(depth))),
    fc.integer({ min: 30, max: 5_000 }).map((depth) => Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('', ' ', '{', 'null', '[]', '"text"', '0', 'undefined', '{}{}', "{'a':1}", '//')
      .map((text) => Buffer.from(text)),
  );
}
