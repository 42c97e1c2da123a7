import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_REVISION } from '../../../test/support/forecasts/example-revision.ts';
import { buildEventRevisionProof, contentId, newSeal, type PublishedRevision, verifyProof } from '../index.ts';

function verify(revision: PublishedRevision, change: object = {}) {
  const document = { ...buildEventRevisionProof(revision), ...change };
  return verifyProof(JSON.stringify({ document, content_cid: contentId(document) }));
}

const LATER: PublishedRevision = {
  ...EXAMPLE_REVISION,
  revision: 2,
  rule: null,
  model: null,
  origin: null,
  entity: { type: 'company', name: 'Example', ticker: '' },
  note: 'The new figures\nare out.',
};

test('the proofs of a first and of a later revision verify', () => {
  for (const revision of [EXAMPLE_REVISION, LATER]) assert.deepEqual(verify(revision).problems, []);
});

test('the document has only the fields of its version and none about the account', () => {
  const plain = buildEventRevisionProof(EXAMPLE_REVISION);
  const rich = { ...EXAMPLE_REVISION, authorId: 'acc_1', entity: { ...EXAMPLE_REVISION.entity, accountId: 'acc_1' } };
  assert.deepEqual(buildEventRevisionProof(rich), plain);
  const { schema_version, kind, hash, created_at } = plain;
  assert.deepEqual(
    { schema_version, kind, hash, created_at },
    {
      schema_version: 'almanac_forecast_proof_v1',
      kind: 'event_revision',
      hash: 'sha3-256',
      created_at: '2026-03-01T10:00:00.000Z',
    },
  );
});

test('two revisions that differ only in their salt have different ids', () => {
  const other = buildEventRevisionProof({ ...EXAMPLE_REVISION, seal: newSeal() });
  assert.notEqual(contentId(other), contentId(buildEventRevisionProof(EXAMPLE_REVISION)));
});

const INVALID: [string, RegExp, object][] = [
  ['a probability above 1', /^probability: Too big/, { probability: 1.5 }],
  ['a probability below 0', /^probability: Too small/, { probability: -0.1 }],
  ['a revision 0', /^revision: Too small/, { revision: 0 }],
  ['no question', /^question: Too small/, { question: '' }],
  ['no salt', /^salt: Invalid input/, { salt: undefined }],
  ['a short salt', /^salt: is not 64 hexadecimal digits/, { salt: 'ab' }],
  ['no hash', /^hash: Invalid input/, { hash: undefined }],
  ['an entity without a name', /^entity\.name: Invalid input/, { entity: { type: 'company', ticker: '' } }],
  [
    'an input that is later than the revision',
    /^input_cutoff_at: is after/,
    { input_cutoff_at: '2026-03-01T10:02:00Z' },
  ],
  ['a deadline that has passed', /^created_at: is not before/, { resolution_deadline: '2026-03-01T10:00:00.000Z' }],
  ['another kind', /^kind: /, { kind: 'event' }],
];

for (const [name, problem, change] of INVALID) {
  test(`reports ${name}`, () => {
    const { valid, problems } = verify(EXAMPLE_REVISION, change);
    assert.equal(valid, false);
    assert.match(problems[0] ?? '', problem);
  });
}
