import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EXAMPLE_PROOF } from '../../../test/support/forecasts/example-proof.ts';
import { contentId } from './content-ids.ts';
import { verifyProof } from './verify-proof.ts';

const ID = contentId(EXAMPLE_PROOF);
const FILE = JSON.stringify({ document: EXAMPLE_PROOF, content_cid: ID });

/** Returns a file whose document was changed before its id was computed, so that only its content is wrong. */
function fileWith(change: (document: Changeable) => void): string {
  const document = structuredClone(EXAMPLE_PROOF) as unknown as Changeable;
  change(document);
  return JSON.stringify({ document, content_cid: contentId(document) });
}

// biome-ignore lint/suspicious/noExplicitAny: the tests set values that the types forbid.
type Changeable = Record<string, any>;

test('accepts a proof with and without its envelope, in any layout', () => {
  const verdict = {
    valid: true,
    content_cid: ID,
    kind: 'forecast',
    problems: [],
    unknown_fields: [],
    receipt: 'absent',
  };
  const bare = { content_cid: ID, document: EXAMPLE_PROOF };
  assert.deepEqual(verifyProof(FILE), verdict);
  assert.deepEqual(verifyProof(JSON.stringify(bare, null, 2)), verdict);
  assert.deepEqual(verifyProof(JSON.stringify({ data: bare, meta: { api_version: 'v1' } })), verdict);
});

test('accepts a quantile that no remaining model provides, without weights and predictions', () => {
  const file = fileWith(({ result }) => {
    result.effective_weights_by_quantile['0.95'] = {};
  });
  assert.ok(verifyProof(file).valid);
});

const INVALID_DOCUMENTS: [string, RegExp, (document: Changeable) => void][] = [
  [
    'another version',
    /^schema_version: is not almanac_forecast_proof_v1/,
    (d) => Object.assign(d, { schema_version: 'v2' }),
  ],
  ['no version', /^schema_version: is not/, (d) => delete d.schema_version],
  ['a missing field', /^result\.season: Invalid input/, (d) => delete d.result.season],
  ['an invalid digest', /^input\.sha256: is not a SHA-256/, (d) => Object.assign(d.input, { sha256: 'AB' })],
  ['an invalid time', /^created_at: Invalid/, (d) => Object.assign(d, { created_at: 'yesterday' })],
  [
    'a quantile with another spelling',
    /^result\.predictions\[0\]\.quantiles/,
    (d) => Object.assign(d.result.predictions[0].quantiles, { '0.50': 1 }),
  ],
  [
    'a hash without a salt',
    /^hash: a document has both hash and salt or neither/,
    (d) => Object.assign(d, { hash: 'sha3-256' }),
  ],
  [
    'a salt without a hash',
    /^hash: a document has both hash and salt or neither/,
    (d) => Object.assign(d, { salt: '0c'.repeat(32) }),
  ],
  ['another kind', /^kind: is not event_revision/, (d) => Object.assign(d, { kind: 'forecast' })],
  [
    'an end before the start',
    /^completed_at: comes before created_at/,
    (d) => Object.assign(d, { completed_at: '2026-02-28T00:00:00Z' }),
  ],
  [
    'a repeated time',
    /^result\.predictions\[1\]\.timestamp: is not later/,
    (d) => Object.assign(d.result.predictions[1], { timestamp: d.result.predictions[0].timestamp }),
  ],
  [
    'descending times of a member model',
    /^result\.members\[0\]\.predictions\[1\]\.timestamp/,
    (d) => Object.assign(d.result.members[0], { predictions: d.result.predictions.toReversed() }),
  ],
  [
    'crossing quantiles',
    /^result\.predictions\[0\]\.quantiles\.0\.9: is below the quantile 0\.5/,
    (d) => Object.assign(d.result.predictions[0].quantiles, { '0.9': 99 }),
  ],
  [
    'weights that do not add up to 1',
    /^result\.effective_weights_by_quantile\.0\.5: adds up to 1\.00000001/,
    (d) => Object.assign(d.result.effective_weights_by_quantile['0.5'], { theta: 1e-8 }),
  ],
  [
    'weights of the validation that do not add up to 1',
    /^result\.historical_validation\.effective.*adds up to 0\.5/,
    (d) => Object.assign(d.result.historical_validation, { effective_weights_by_quantile: { '0.5': { ets: 0.5 } } }),
  ],
  [
    'a negative weight',
    /0\.5: has a negative weight/,
    (d) => Object.assign(d.result.effective_weights_by_quantile['0.5'], { ets: 2, theta: -1 }),
  ],
  [
    'a predicted quantile without weights',
    /^result\.predictions\[0\]\.quantiles: differ from those/,
    (d) => Object.assign(d.result.predictions[0].quantiles, { '0.99': 200 }),
  ],
  [
    'predictions without any weights',
    /^result\.predictions\[0\]\.quantiles: differ from those/,
    (d) => Object.assign(d.result, { effective_weights_by_quantile: {} }),
  ],
];

for (const [name, problem, change] of INVALID_DOCUMENTS) {
  test(`reports ${name}`, () => {
    const { valid, content_cid, problems } = verifyProof(fileWith(change));
    assert.equal(valid, false);
    assert.match(problems[0] ?? '', problem);
    assert.match(content_cid ?? '', /^0x[0-9a-f]{64}$/);
  });
}

test('reports a document that was changed after its id was computed, with its actual id', () => {
  const { valid, content_cid, problems } = verifyProof(FILE.replace('"0.5":100', '"0.5":101'));
  assert.deepEqual([valid, problems.length], [false, 1]);
  assert.notEqual(content_cid, ID);
  assert.equal(problems[0], `content_cid: the document's is ${content_cid}, not "${ID}".`);
});

const INVALID_TEXTS: [string, RegExp, string][] = [
  ['an empty file', /not JSON/, ''],
  ['a truncated file', /not JSON/, FILE.slice(0, 300)],
  ['NaN', /not JSON/, FILE.replace('"rows":40', '"rows":NaN')],
  ['null', /^file: Invalid input/, 'null'],
  ['a file without a document', /^document: Invalid input/, '{"content_cid":"0x"}'],
  ['a field beside the document', /^file: Unrecognized key: "data"/, FILE.replace('{', '{"data":{},')],
  ['a huge file', /more than 8388608 characters/, ' '.repeat(9 * 1024 * 1024)],
  ['a file of many values', /more than 250000 values/, `[${'0,'.repeat(300_000)}0]`],
  ['a deep file', /more than 64 levels/, '['.repeat(1_000_000)],
  [
    'a deep document',
    /more than 64 levels/,
    FILE.replace('"seed":7', `"seed":${'{"a":'.repeat(80)}1${'}'.repeat(80)}`),
  ],
  ['a repeated key', /key "rows" twice/, FILE.replace('"rows":40', '"rows":41,"rows":40')],
  ['a repeated key with two spellings', /key "rows" twice/, FILE.replace('"rows":40', '"r\\u006fws" : 41,"rows":40')],
  ['a repeated key around an object', /key "content_cid" twice/, FILE.replace('{', `{"content_cid":"${ID}",`)],
  ['another hash', /^hash: is not sha3-256/, FILE.replace('"forecast_id"', '"hash":"sha256","forecast_id"')],
  ['__proto__', /"__proto__"/, FILE.replace('"seed":7', '"__proto__":{"seed":7}')],
  [
    'a number that overflows',
    /^document\.settings\.seed: is not a finite number/,
    FILE.replace('"seed":7', '"seed":1e999'),
  ],
  [
    'half of a surrogate pair',
    /^document\.settings\.seed: contains half/,
    FILE.replace('"seed":7', '"seed":"\\ud800"'),
  ],
  [
    'half of a surrogate pair in a key',
    /^document\.settings: has a key that contains half/,
    FILE.replace('"seed":7', '"\\udc00":7'),
  ],
];

for (const [name, problem, text] of INVALID_TEXTS) {
  test(`refuses ${name}`, () => {
    const { valid, content_cid, problems } = verifyProof(text);
    assert.deepEqual([valid, content_cid, problems.length], [false, null, 1]);
    assert.match(problems[0] ?? '', problem);
  });
}

test('accepts keys that only look repeated', () => {
  const about = { a: { a: [{ a: 'a' }, { a: '"a":' }] }, 'a"': '{', '\\': '}' };
  assert.ok(verifyProof(fileWith((document) => Object.assign(document.input, { about }))).valid);
});

test('accepts fields that it does not know, names them by path and hashes them', () => {
  const change = (value: number) => (document: Changeable) => {
    document.note = value;
    document.result.predictions[1].note = value;
    document.input.about.note = value;
  };
  const { valid, unknown_fields, content_cid } = verifyProof(fileWith(change(1)));
  assert.deepEqual([valid, unknown_fields], [true, ['result.predictions[1].note', 'note']]);
  assert.notEqual(content_cid, verifyProof(fileWith(change(2))).content_cid);
  assert.equal(verifyProof(fileWith(change(1)).replaceAll('"note":1', '"note":2')).valid, false);
});

test('checks the known fields of a document that has unknown ones', () => {
  const { problems, unknown_fields } = verifyProof(
    fileWith((document) => Object.assign(document, { note: 1, completed_at: '2026-02-28T00:00:00Z' })),
  );
  assert.deepEqual([problems, unknown_fields], [['completed_at: comes before created_at.'], ['note']]);
});

test('limits the number and the length of the unknown fields', () => {
  const keys = Array.from({ length: 50 }, (_, i) => [`${i}${'x'.repeat(1000)}`, i]);
  const { valid, unknown_fields } = verifyProof(fileWith((d) => Object.assign(d, Object.fromEntries(keys))));
  assert.deepEqual([valid, unknown_fields.length], [true, 21]);
  assert.equal(unknown_fields.at(-1), 'There are more unknown fields.');
  assert.ok(unknown_fields.every((path) => path.length <= 201));
});

test('limits the number and the length of problems', () => {
  const { problems } = verifyProof(
    fileWith(({ result }) => Object.assign(result, { members: Array(1000).fill({}), weight_mode: 'x'.repeat(1e6) })),
  );
  assert.equal(problems.length, 21);
  assert.equal(problems.at(-1), 'There are more problems.');
  assert.ok(problems.every((problem) => problem.length <= 201));
});

test('never throws, and accepts no text that differs from the proof', () => {
  const cut = fc.tuple(fc.nat(FILE.length), fc.nat(5), fc.string({ unit: 'binary', maxLength: 5 }));
  fc.assert(
    fc.property(cut, ([at, length, between]) => {
      const text = FILE.slice(0, at) + between + FILE.slice(at + length);
      const { valid, problems } = verifyProof(text);
      assert.equal(valid, problems.length === 0);
      if (valid) assert.deepEqual(JSON.parse(text), JSON.parse(FILE));
    }),
    { seed: 3, numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.json(), (text) => assert.equal(verifyProof(text).valid, false)),
    { seed: 4 },
  );
});
