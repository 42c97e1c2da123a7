import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleReceipt, SEALED_PROOF } from '../../../test/support/forecasts/example-proof.ts';
import { stampedRevisionFile } from '../../../test/support/forecasts/proof-file.ts';
import { contentId } from './content-ids.ts';
import { MAX_BLOCK_LAG_MS } from './receipt-form.ts';
import { verifyProof } from './verify-proof.ts';

const ID = contentId(SEALED_PROOF);
const RECEIPT = exampleReceipt(ID);
const fileOf = (provenance: unknown) => JSON.stringify({ document: SEALED_PROOF, content_cid: ID, provenance });
const FILE = fileOf(RECEIPT);
const EMPTY = { ...RECEIPT, status: 'unavailable', receipt: null, error_code: 'CHAIN_NOT_CONFIGURED' };
const other = `0x${'ab'.repeat(32)}`;

const VALID: [string, unknown][] = [
  ['stamped', RECEIPT],
  ['stamped', { ...RECEIPT, receipt: { ...RECEIPT.receipt, user_address: null, user_label: 'Example Ltd' } }],
  ['pending', { ...EMPTY, status: 'pending', error_code: 'OUT_OF_FUNDS' }],
  ['stamping', { ...EMPTY, status: 'stamping', error_code: null }],
  ['unavailable', EMPTY],
  ['unavailable', { ...EMPTY, provider: 'evm_merkle' }],
  ['absent', undefined],
  ['absent', null],
];

for (const [i, [state, provenance]] of VALID.entries()) {
  test(`accepts a receipt that is ${state} (${i + 1})`, () => {
    const { valid, problems, receipt } = verifyProof(fileOf(provenance));
    assert.deepEqual([valid, problems, receipt], [true, [], state]);
  });
}

const stamp = (change: object) => ({ ...RECEIPT, receipt: { ...RECEIPT.receipt, ...change } });

const INVALID: [string, string, RegExp, unknown][] = [
  ['a text', 'malformed', /^provenance: Invalid input/, 'stamped'],
  ['another provider', 'malformed', /^provenance\.provider: Invalid/, { ...RECEIPT, provider: 'other' }],
  [
    'the former provider of a stamp',
    'stamped',
    /^provenance\.provider: is not vbase/,
    { ...RECEIPT, provider: 'evm_merkle' },
  ],
  ['another version', 'malformed', /^provenance\.schema_version: /, { ...RECEIPT, schema_version: 'v2' }],
  ['another status', 'malformed', /^provenance\.status: Invalid/, { ...RECEIPT, status: 'done' }],
  ['an unknown field', 'malformed', /^provenance: Unrecognized key: "note"/, { ...RECEIPT, note: 1 }],
  ['an unknown field of the stamp', 'malformed', /^provenance\.receipt: Unrecognized key/, stamp({ note: 1 })],
  ['no error code', 'malformed', /^provenance\.error_code: /, { ...RECEIPT, error_code: undefined }],
  [
    'capital digits',
    'malformed',
    /^provenance\.receipt\.set_cid: is not 0x and/,
    stamp({ set_cid: `0x${'AB'.repeat(32)}` }),
  ],
  [
    'a short hash',
    'malformed',
    /^provenance\.receipt\.transaction_hash: is not 0x/,
    stamp({ transaction_hash: '0xab' }),
  ],
  [
    'a name for an address',
    'malformed',
    /^provenance\.receipt\.user_address: is not an address/,
    stamp({ user_address: 'me' }),
  ],
  ['a label of null', 'malformed', /^provenance\.receipt\.user_label: /, stamp({ user_label: null })],
  ['a fraction of a chain', 'malformed', /^provenance\.receipt\.chain_id: /, stamp({ chain_id: 1.5 })],
  ['a day for a time', 'malformed', /^provenance\.receipt\.timestamp: /, stamp({ timestamp: '2026-03-01' })],
  [
    'another content id',
    'stamped',
    /^provenance\.content_cid: is not the content id/,
    { ...RECEIPT, content_cid: other },
  ],
  ['no content id', 'stamped', /^provenance\.content_cid: is not the content id/, { ...RECEIPT, content_cid: null }],
  [
    'another object',
    'stamped',
    /^provenance\.receipt\.object_cid: is not the content id/,
    stamp({ object_cid: other }),
  ],
  ['an error code', 'stamped', /^provenance\.error_code: is not null, but/, { ...RECEIPT, error_code: 'OUT_OF_FUNDS' }],
  ['no stamp', 'stamped', /^provenance\.receipt: is missing/, { ...RECEIPT, receipt: null }],
  [
    'a stamp too early',
    'pending',
    /^provenance\.status: is pending, but there is a receipt/,
    { ...RECEIPT, status: 'pending' },
  ],
];

for (const [name, state, problem, provenance] of INVALID) {
  test(`refuses a receipt with ${name}`, () => {
    const { valid, problems, receipt, content_cid } = verifyProof(fileOf(provenance));
    assert.deepEqual([valid, receipt, content_cid], [false, state, ID]);
    assert.match(problems[0] ?? '', problem);
  });
}

test('refuses a stamp that is older than its document by more than blocks may lag', () => {
  const revision = stampedRevisionFile();
  for (const [file, field] of [
    [JSON.parse(FILE), 'completed_at'],
    [revision, 'created_at'],
  ]) {
    const oldest = Date.parse(file.document[field]) - MAX_BLOCK_LAG_MS;
    const problemsAt = (at: number) => {
      file.provenance.receipt.timestamp = new Date(at).toISOString();
      return verifyProof(JSON.stringify(file)).problems;
    };
    assert.deepEqual(problemsAt(oldest), []);
    assert.deepEqual(problemsAt(oldest - 1), [
      `provenance.receipt.timestamp: is before ${field}: a stamp cannot be older than its document.`,
    ]);
  }
});

test('a changed file with a receipt is refused unless only claims about the chain differ', () => {
  // The chain confirms or refutes these; the file alone cannot.
  const withoutChainClaims = (text: string) => {
    const { document, content_cid, provenance } = JSON.parse(text);
    const { provider, schema_version, status, receipt } = provenance;
    return { document, content_cid, provider, schema_version, status, object: receipt.object_cid };
  };
  const cut = fc.tuple(fc.nat(FILE.length), fc.nat(2), fc.string({ maxLength: 2 }));
  const digit = fc.tuple(fc.nat(FILE.length), fc.constant(1), fc.constantFrom(...'0123456789abcdef'));
  fc.assert(
    fc.property(fc.oneof(cut, digit), ([at, length, between]) => {
      const text = FILE.slice(0, at) + between + FILE.slice(at + length);
      const { valid, receipt } = verifyProof(text);
      if (!valid) return;
      assert.equal(receipt, 'stamped');
      assert.deepEqual(withoutChainClaims(text), withoutChainClaims(FILE));
    }),
    { seed: 5, numRuns: 1000 },
  );
});
