import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toEventSelector, toFunctionSelector } from 'viem';
import { exampleReceipt, SEALED_PROOF } from '../../../test/support/forecasts/example-proof.ts';
import { BLOCK_HASH, CONTRACT, localNode, repliesFor } from '../../../test/support/forecasts/loopback-chain.ts';
import { contentId } from '../documents/content-ids.ts';
import type { StatedStamp } from '../documents/receipt-form.ts';
import {
  ADD_SET_OBJECT_TOPIC,
  StampMismatchError,
  VERIFY_USER_OBJECT_SELECTOR,
  verifyOnChain,
} from './chain-commitment.ts';
import { ChainNodeError } from './chain-node.ts';
import { reportProof } from './proof-report.ts';

const ID = contentId(SEALED_PROOF);
const RECEIPT = exampleReceipt(ID);
const STAMP: StatedStamp = RECEIPT.receipt;
const USER = (STAMP.user_address as string).toLowerCase();
const OTHER = `0x${'ab'.repeat(32)}`;
const OTHER_ADDRESS = `0x${'ab'.repeat(20)}`;

type Change = Parameters<typeof repliesFor>[1];
const check = (change: Change = {}, options: { readonly contract?: string } = {}, stamp = STAMP) =>
  verifyOnChain(stamp, localNode(repliesFor(STAMP, change)), options);

test('the event and the function are those of the published interface', () => {
  const event = 'event AddSetObject(address indexed user, bytes32 indexed set, bytes32 indexed object, uint256 time)';
  assert.equal(ADD_SET_OBJECT_TOPIC, toEventSelector(event));
  const verify = 'function verifyUserObject(address user, bytes32 object, uint256 time) view returns (bool)';
  assert.equal(VERIFY_USER_OBJECT_SELECTOR, toFunctionSelector(verify));
});

test('returns the block and the contract of a stamp', async () => {
  assert.deepEqual(await check(), {
    commitment: {
      chain_id: 31337,
      contract: CONTRACT,
      user_address: USER,
      block_number: 1_000,
      block_hash: BLOCK_HASH,
      timestamp: '2026-03-01T10:01:00.000Z',
      confirmations: 25,
    },
    userIsShownBy: 'sender',
  });
});

test('the user is shown by a known deployment, the given contract or the sender of the transaction', async () => {
  const relayed = { transaction: { from: OTHER_ADDRESS } };
  assert.equal((await check(relayed)).userIsShownBy, null);
  assert.equal(
    (await check(relayed, { contract: CONTRACT.toUpperCase().replace('X', 'x') })).userIsShownBy,
    'named_contract',
  );
  for (const [chain_id, contract] of [
    [137, '0x80D2AB15EE5b91cD7A183b8938dC277fE6191F7d'],
    [11155111, '0x8DcED2BB01FAD25336C3b43946C986C6c50ce3aa'],
  ] as const) {
    const stamp = { ...STAMP, chain_id };
    const change = { ...relayed, log: { address: contract.toLowerCase() } };
    const { userIsShownBy } = await verifyOnChain(stamp, localNode(repliesFor(stamp, change)));
    assert.equal(userIsShownBy, 'deployment');
    // The same address on another chain is another contract.
    assert.equal((await check(change)).userIsShownBy, null);
  }
});

test('a stamp without an address has that of the event', async () => {
  const stamp = { ...STAMP, user_address: null };
  assert.equal((await check({}, {}, stamp)).commitment.user_address, USER);
});

const topicsWith = (at: number, topic: string) => [ADD_SET_OBJECT_TOPIC, pad(USER), STAMP.set_cid, ID].with(at, topic);
const fakeTime = `0x${(1).toString(16).padStart(64, '0')}`;
const later = { timestamp: '0x69a40fe0' };
const nothing = () => null;

const MISMATCHES: [string, RegExp, Change, { readonly contract?: string }?][] = [
  [
    'another chain',
    /receipt\.chain_id: is 31337, but the node is on chain 1\./,
    { replies: { eth_chainId: () => '0x1' } },
  ],
  ['no transaction', /transaction_hash: the chain has no such/, { replies: { eth_getTransactionReceipt: nothing } }],
  ['a failed transaction', /transaction_hash: the transaction failed/, { transaction: { status: '0x0' } }],
  ['no event', /object_cid: the transaction does not commit it/, { transaction: { logs: [] } }],
  ['a removed event', /object_cid: the transaction does not commit it/, { log: { removed: true } }],
  ['another event', /object_cid: the transaction does not/, { log: { topics: topicsWith(0, OTHER) } }],
  ['another object', /object_cid: the transaction does not/, { log: { topics: topicsWith(3, OTHER) } }],
  ['another set', /set_cid: the transaction commits .* another coll/, { log: { topics: topicsWith(2, OTHER) } }],
  ['another user', /user_address: .* for another address/, { log: { topics: topicsWith(1, pad(OTHER_ADDRESS)) } }],
  ['another contract', /receipt: another contract than the given one/, {}, { contract: OTHER_ADDRESS }],
  ['a fake time of the contract', /receipt: the contract states another time/, { log: { data: fakeTime } }],
  ['a block of another time', /receipt: the contract states another time/, { block: later }],
  [
    'a receipt of another time',
    /receipt\.timestamp: is not the time of the block, 2026-03-01T10:07:28\.000Z/,
    { block: later, log: { data: pad(later.timestamp) } },
  ],
  ['an unknown block', /transaction_hash: its block is no longer/, { replies: { eth_getBlockByHash: nothing } }],
  [
    'no block of its number',
    /transaction_hash: its block is no longer/,
    { replies: { eth_getBlockByNumber: nothing } },
  ],
  [
    'a replaced block',
    /transaction_hash: its block is no longer/,
    { replies: { eth_getBlockByNumber: () => ({ hash: OTHER, number: '0x3e8', timestamp: '0x1' }) } },
  ],
  ['a contract that denies it', /receipt: the contract does not confirm/, { replies: { eth_call: () => pad('0x0') } }],
  ['an address without code', /receipt: the contract does not confirm/, { replies: { eth_call: () => '0x' } }],
  ['a contract that returns 2', /receipt: the contract does not confirm/, { replies: { eth_call: () => pad('0x2') } }],
];

for (const [name, problem, change, options] of MISMATCHES) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(check(change, options), (error) => {
      assert.ok(error instanceof StampMismatchError, String(error));
      assert.match(error.message, problem);
      return true;
    });
  });
}

test('refuses a user topic that is not an address if the stamp has no address', async () => {
  const change = { log: { topics: topicsWith(1, OTHER) } };
  await assert.rejects(check(change, {}, { ...STAMP, user_address: null }), StampMismatchError);
});

test('an event of another transaction or block, or a latest block before it, is a failure of the node', async () => {
  const own = { removed: false, transactionHash: STAMP.transaction_hash.toUpperCase().replace('X', 'x') };
  assert.equal((await check({ log: { ...own, blockNumber: '0x3e8' } })).commitment.block_number, 1_000);
  for (const [change, problem] of [
    [{ log: { transactionHash: OTHER } }, /invalid reply to eth_getTransactionReceipt/],
    [{ log: { blockNumber: '0x3e7' } }, /invalid reply to eth_getTransactionReceipt/],
    [{ replies: { eth_blockNumber: () => '0x3e7' } }, /latest block is before the block of the transaction/],
  ] as const) {
    await assert.rejects(check(change), (error) => {
      assert.ok(error instanceof ChainNodeError, String(error));
      assert.match(error.message, problem);
      return true;
    });
  }
  const { commitment } = await check({ replies: { eth_blockNumber: () => '0x3e8' } });
  assert.equal(commitment.confirmations, 1);
});

test('every reply of another form is a failure of the node', async () => {
  const garbage = [undefined, 7, 'text', '0xzz', [], {}, { hash: 1 }, `0x${'f'.repeat(64)}`];
  for (const method of Object.keys(repliesFor(STAMP))) {
    for (const reply of garbage) {
      await assert.rejects(check({ replies: { [method]: () => reply } }), (error) => {
        const isExpected = error instanceof ChainNodeError || (method === 'eth_call' && typeof reply === 'string');
        assert.ok(isExpected, `${method}: ${String(error)}`);
        return true;
      });
    }
  }
});

test('a changed file with a receipt is refused by the file or by the chain, or claims the same', async () => {
  const file = JSON.stringify({ document: SEALED_PROOF, content_cid: ID, provenance: RECEIPT });
  const claims = (text: string) => {
    const { document, provenance } = JSON.parse(text);
    const { user_address, user_label: _, ...stamp } = provenance.receipt;
    // The case of the letters of an address means nothing, and a receipt without an address claims less.
    const user = user_address?.toLowerCase() ?? USER;
    return { document, stamp: { ...stamp, timestamp: Date.parse(stamp.timestamp) }, user };
  };
  const node = localNode(repliesFor(STAMP));
  const start = file.indexOf('"provenance"');
  const edit = fc.tuple(
    fc.integer({ min: start, max: file.length }),
    fc.nat(2),
    fc.constantFrom(...'0123456789abcdef", :null'),
  );
  await fc.assert(
    fc.asyncProperty(edit, async ([at, length, between]) => {
      const text = file.slice(0, at) + between + file.slice(at + length);
      const { report } = await reportProof(text, { node });
      if (report.valid && report.chain !== null) assert.deepEqual(claims(text), claims(file));
    }),
    { seed: 6, numRuns: 1000 },
  );
});

function pad(value: string): string {
  return `0x${value.slice(2).padStart(64, '0')}`;
}
