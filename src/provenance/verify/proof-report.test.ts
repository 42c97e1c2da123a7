import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_PROOF, exampleReceipt, SEALED_PROOF } from '../../../test/support/forecasts/example-proof.ts';
import { CONTRACT, localNode, repliesFor } from '../../../test/support/forecasts/loopback-chain.ts';
import { contentId } from '../documents/content-ids.ts';
import { verifyProof } from '../documents/verify-proof.ts';
import { ChainNodeError } from './chain-node.ts';
import { reportProof } from './proof-report.ts';

const ID = contentId(SEALED_PROOF);
const RECEIPT = exampleReceipt(ID);
const fileOf = (provenance: unknown, document: object = SEALED_PROOF) =>
  JSON.stringify({ document, content_cid: contentId(document), provenance });
const FILE = fileOf(RECEIPT);
const node = (change: Parameters<typeof repliesFor>[1] = {}) => localNode(repliesFor(RECEIPT.receipt, change));

const OWN_TIME = 'When the forecast was made: it may be older than its stamp.';
const OTHERS = 'That no other forecast for the same question was stamped and withheld.';
const COMPUTED = 'That the forecast was computed as the document describes: only its form was checked.';
const HASHED = `The document has the content id ${ID}. A document with any other content has another id.`;
const FORM = 'The receipt has the form of its version and names this content id.';

test('without a node, the report is the verdict with what the file alone proves', async () => {
  const { report, unchecked } = await reportProof(FILE);
  assert.deepEqual(report, {
    ...verifyProof(FILE),
    proven: [HASHED, FORM],
    not_proven: [
      'That chain 31337 has the receipt. Add --chain with the address of a node of this chain to check it.',
      OWN_TIME,
      OTHERS,
      COMPUTED,
    ],
    chain: null,
  });
  assert.equal(unchecked, null);
});

test('with a node, the report names the block, its time and the address that committed the content id', async () => {
  const { report, unchecked } = await reportProof(FILE, { node: node() });
  const user = RECEIPT.receipt.user_address.toLowerCase();
  assert.deepEqual([report.valid, unchecked, report.chain?.block_number], [true, null, 1_000]);
  assert.deepEqual(report.proven, [
    HASHED,
    FORM,
    'The document has not changed since 2026-03-01T10:01:00.000Z: block 1000 of chain 31337 contains its content id.',
    `The content id was committed by ${user}: this address sent the transaction.`,
  ]);
  assert.deepEqual(report.not_proven, [
    'That the node reported the chain correctly. Use your own node, or compare the replies of several nodes.',
    OWN_TIME,
    OTHERS,
    COMPUTED,
  ]);
});

test('names few confirmations, a contract that is not known, a label and unknown fields as not proven', async () => {
  const document = { ...SEALED_PROOF, note: 1 };
  const receipt = exampleReceipt(contentId(document));
  const stamp = { ...receipt.receipt, user_label: 'Example Ltd' };
  const replies = repliesFor(stamp, {
    transaction: { from: `0x${'ab'.repeat(20)}` },
    replies: { eth_blockNumber: () => '0x3ea' },
  });
  const file = fileOf({ ...receipt, receipt: stamp }, document);
  const { report } = await reportProof(file, { node: localNode(replies) });
  assert.equal(report.proven.length, 3, 'the address is not proven');
  for (const sentence of [
    'That block 1000 is final: it has 3 of the 12 recommended confirmations.',
    `That ${stamp.user_address.toLowerCase()} committed the content id: only the contract ${CONTRACT} states it, which is not a known deployment.`,
    'That user_label names the right account: it is not on the chain.',
    'That the content of the unknown fields is correct: it was hashed, not checked.',
  ]) {
    assert.ok(report.not_proven.includes(sentence), `${sentence}\n${report.not_proven.join('\n')}`);
  }
  const named = await reportProof(file, { node: localNode(replies), contract: CONTRACT });
  assert.match(named.report.proven[3] ?? '', /which you named, recorded it for this address\.$/);
});

test('a stamp that the chain does not have makes the file invalid', async () => {
  const { report, unchecked } = await reportProof(FILE, { node: node({ transaction: { status: '0x0' } }) });
  const problems = ['provenance.receipt.transaction_hash: the transaction failed.'];
  assert.deepEqual(report, { ...verifyProof(FILE), valid: false, problems, proven: [], not_proven: [], chain: null });
  assert.equal(unchecked, null);
});

test('a node that fails leaves the verdict of the file', async () => {
  const call = async () => {
    throw new ChainNodeError('The node sent an invalid reply to eth_chainId.');
  };
  const { report, unchecked } = await reportProof(FILE, { node: { call } });
  assert.deepEqual(report, (await reportProof(FILE)).report);
  assert.equal(unchecked, 'The chain was not checked. The node sent an invalid reply to eth_chainId.');
});

test('a proof without a stamp calls no node and is not proven to be old', async () => {
  const call = () => assert.fail('the node was called');
  const pending = { ...RECEIPT, status: 'pending', receipt: null };
  for (const [file, doubt] of [
    [fileOf(pending), 'That the document existed at any time: its receipt is pending.'],
    [fileOf(undefined, EXAMPLE_PROOF), 'That the document existed at any time: the file has no receipt.'],
  ] as const) {
    const { report, unchecked } = await reportProof(file, { node: { call } });
    assert.deepEqual([report.valid, report.proven.length, report.not_proven[0]], [true, 1, doubt]);
    assert.equal(unchecked, 'The proof has no stamp that a chain could confirm.');
  }
});

test('an invalid file proves nothing and is not checked on a chain', async () => {
  const call = () => assert.fail('the node was called');
  const { report } = await reportProof(FILE.replace('"rows":40', '"rows":41'), { node: { call } });
  assert.deepEqual([report.valid, report.proven, report.not_proven, report.chain], [false, [], [], null]);
});
