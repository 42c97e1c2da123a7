import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EXAMPLE_PROOF } from '../../test/support/forecasts/example-proof.ts';
import { contentId } from './content-id.ts';
import { verifyProof } from './verify-proof.ts';

const ID = contentId(EXAMPLE_PROOF);
const FILE = JSON.stringify({ document: EXAMPLE_PROOF, content_cid: ID });

/** A file whose document was changed before its id was made: only what it says is wrong. */
function fileWith(change: (document: Changeable) => void): string {
  const document = structuredClone(EXAMPLE_PROOF) as unknown as Changeable;
  change(document);
  return JSON.stringify({ document, content_cid: contentId(document) });
}

// biome-ignore lint/suspicious/noExplicitAny: the tests plant what the types forbid.
type Changeable = Record<string, any>;

test('a proof is valid, bare, in its envelope and however it is laid out', () => {
  const verdict = { valid: true, content_cid: ID, problems: [] };
  const bare = { content_cid: ID, document: EXAMPLE_PROOF };
  assert.deepEqual(verifyProof(FILE), verdict);
  assert.deepEqual(verifyProof(JSON.stringify(bare, null, 2)), verdict);
  assert.deepEqual(verifyProof(JSON.stringify({ data: bare, meta: { api_version: 'v1' } })), verdict);
});

test('a quantile that no surviving model gives has no weights and no prediction', () => {
  const file = fileWith(({ result }) => {
    result.effective_weights_by_quantile['0.95'] = {};
  });
  assert.ok(verifyProof(file).valid);
});

const PLANTED: [string, RegExp, (document: Changeable) => void][] = [
  [
    'another version',
    /^schema_version: is not almanac_forecast_proof_v1/,
    (d) => Object.assign(d, { schema_version: 'v2' }),
  ],
  ['no version', /^schema_version: is not/, (d) => delete d.schema_version],
  ['a field too many', /^document: Unrecognized key: "note"/, (d) => Object.assign(d, { note: 1 })],
  [
    'a field too many inside',
    /^result\.predictions\[1\]: Unrecognized key/,
    (d) => Object.assign(d.result.predictions[1], { note: 1 }),
  ],
  ['a field too few', /^result\.season: Invalid input/, (d) => delete d.result.season],
  ['a digest that is none', /^input\.sha256: is not a SHA-256/, (d) => Object.assign(d.input, { sha256: 'AB' })],
  ['a time that is none', /^created_at: Invalid/, (d) => Object.assign(d, { created_at: 'yesterday' })],
  [
    'a quantile in another spelling',
    /^result\.predictions\[0\]\.quantiles/,
    (d) => Object.assign(d.result.predictions[0].quantiles, { '0.50': 1 }),
  ],
  [
    'an end before the start',
    /^completed_at: comes before created_at/,
    (d) => Object.assign(d, { completed_at: '2026-02-28T00:00:00Z' }),
  ],
  [
    'times that stand still',
    /^result\.predictions\[1\]\.timestamp: does not come after/,
    (d) => Object.assign(d.result.predictions[1], { timestamp: d.result.predictions[0].timestamp }),
  ],
  [
    'times of a member that fall',
    /^result\.members\[0\]\.predictions\[1\]\.timestamp/,
    (d) => Object.assign(d.result.members[0], { predictions: d.result.predictions.toReversed() }),
  ],
  [
    'quantiles that cross',
    /^result\.predictions\[0\]\.quantiles\.0\.9: is below the quantile 0\.5/,
    (d) => Object.assign(d.result.predictions[0].quantiles, { '0.9': 99 }),
  ],
  [
    'weights that do not add up',
    /^result\.effective_weights_by_quantile\.0\.5: adds up to 1\.00000001/,
    (d) => Object.assign(d.result.effective_weights_by_quantile['0.5'], { theta: 1e-8 }),
  ],
  [
    'weights of the validation that do not add up',
    /^result\.historical_validation\.effective.*adds up to 0\.5/,
    (d) => Object.assign(d.result.historical_validation, { effective_weights_by_quantile: { '0.5': { ets: 0.5 } } }),
  ],
  [
    'a negative weight',
    /0\.5: has a negative weight/,
    (d) => Object.assign(d.result.effective_weights_by_quantile['0.5'], { ets: 2, theta: -1 }),
  ],
  [
    'a prediction nobody made',
    /^result\.predictions\[0\]\.quantiles: are not those/,
    (d) => Object.assign(d.result.predictions[0].quantiles, { '0.99': 200 }),
  ],
  [
    'weights of nothing',
    /^result\.predictions\[0\]\.quantiles: are not those/,
    (d) => Object.assign(d.result, { effective_weights_by_quantile: {} }),
  ],
];

for (const [what, problem, plant] of PLANTED) {
  test(`${what} is found`, () => {
    const { valid, content_cid, problems } = verifyProof(fileWith(plant));
    assert.equal(valid, false);
    assert.match(problems[0] ?? '', problem);
    assert.match(content_cid ?? '', /^0x[0-9a-f]{64}$/);
  });
}

test('a document changed after its id was made is found, and told its own id', () => {
  const { valid, content_cid, problems } = verifyProof(FILE.replace('"0.5":100', '"0.5":101'));
  assert.deepEqual([valid, problems.length], [false, 1]);
  assert.notEqual(content_cid, ID);
  assert.equal(problems[0], `content_cid: the document's is ${content_cid}, not "${ID}".`);
});

const REFUSED: [string, RegExp, string][] = [
  ['nothing', /not JSON/, ''],
  ['half a file', /not JSON/, FILE.slice(0, 300)],
  ['NaN', /not JSON/, FILE.replace('"rows":40', '"rows":NaN')],
  ['no object', /^file: Invalid input/, 'null'],
  ['no document', /^document: Invalid input/, '{"content_cid":"0x"}'],
  ['a field beside the document', /^file: Unrecognized key: "data"/, FILE.replace('{', '{"data":{},')],
  ['a huge file', /more than 8388608 characters/, ' '.repeat(9 * 1024 * 1024)],
  ['a file of many values', /more than 250000 values/, `[${'0,'.repeat(300_000)}0]`],
  ['a deep file', /more than 64 levels/, '['.repeat(1_000_000)],
  [
    'a deep document',
    /more than 64 levels/,
    FILE.replace('"seed":7', `"seed":${'{"a":'.repeat(80)}1${'}'.repeat(80)}`),
  ],
  ['a key twice', /key "rows" twice/, FILE.replace('"rows":40', '"rows":41,"rows":40')],
  ['a key twice in two spellings', /key "rows" twice/, FILE.replace('"rows":40', '"r\\u006fws" : 41,"rows":40')],
  ['a key twice around an object', /key "content_cid" twice/, FILE.replace('{', `{"content_cid":"${ID}",`)],
  ['__proto__', /"__proto__"/, FILE.replace('"seed":7', '"__proto__":{"seed":7}')],
  [
    'a number beyond all',
    /^document\.settings\.seed: is not a finite number/,
    FILE.replace('"seed":7', '"seed":1e999'),
  ],
  ['half a pair', /^document\.settings\.seed: has half/, FILE.replace('"seed":7', '"seed":"\\ud800"')],
  ['half a pair in a key', /^document\.settings: has a key with half/, FILE.replace('"seed":7', '"\\udc00":7')],
];

for (const [what, problem, text] of REFUSED) {
  test(`${what} is refused by name`, () => {
    const { valid, content_cid, problems } = verifyProof(text);
    assert.deepEqual([valid, content_cid, problems.length], [false, null, 1]);
    assert.match(problems[0] ?? '', problem);
  });
}

test('keys that only look like two are one each', () => {
  const about = { a: { a: [{ a: 'a' }, { a: '"a":' }] }, 'a"': '{', '\\': '}' };
  assert.ok(verifyProof(fileWith((document) => Object.assign(document.input, { about }))).valid);
});

test('many problems are cut short, and long ones too', () => {
  const { problems } = verifyProof(
    fileWith(({ result }) => Object.assign(result, { members: Array(1000).fill({}), ['x'.repeat(1e6)]: 1 })),
  );
  assert.equal(problems.length, 21);
  assert.equal(problems.at(-1), 'There are more problems.');
  assert.ok(problems.every((problem) => problem.length <= 201));
});

test('no text makes it throw, and no other text of a proof is the proof', () => {
  const cut = fc.tuple(fc.nat(FILE.length), fc.nat(5), fc.string({ unit: 'binary', maxLength: 5 }));
  fc.assert(
    fc.property(cut, ([at, length, between]) => {
      const text = FILE.slice(0, at) + between + FILE.slice(at + length);
      const { valid, problems } = verifyProof(text);
      assert.equal(valid, problems.length === 0);
      if (valid) assert.deepEqual(JSON.parse(text), JSON.parse(FILE));
    }),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.json(), (text) => assert.equal(verifyProof(text).valid, false)));
});
