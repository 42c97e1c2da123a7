import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { createStampingScene, STAMPING } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { ConfigError } from '../../platform/index.ts';
import { setCid } from '../documents/content-ids.ts';
import { readReceipt } from '../receipts/read-receipts.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { encodeObjects } from './chain-client.ts';

const POLICY = { isConfigured: true, selection: 'accounts' } as const;
const NEVER = new AbortController().signal;
const NO_CID = `0x${'0'.repeat(64)}`;

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

forEachDatabase('stamps 450 proofs in three transactions, each proof once', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  const cids = await scene.request(450);
  await scene.settle();
  const events = await scene.committed();
  assert.deepEqual(events.map(({ objectCid }) => objectCid).sort(), cids);
  assert.equal(new Set(events.map(({ transactionHash }) => transactionHash)).size, 3);
  assert.deepEqual(await scene.statuses(), { stamped: 450 });
  const [event] = events;
  const { receipt } = await readReceipt(database, POLICY, event?.objectCid ?? '');
  assert.deepEqual(receipt, {
    object_cid: event?.objectCid,
    set_cid: setCid('almanac'),
    transaction_hash: event?.transactionHash,
    user_address: scene.account.address.toLowerCase(),
    chain_id: node.chainId,
    timestamp: new Date(1_000 * (event?.timestamp ?? 0)).toISOString(),
  });
  assert.deepEqual(await scene.states(), { stamped: 4 });
  await node.mine(70);
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 4 });
  const attempts = await database.query<ProvenanceTables>().selectFrom('stamp_attempt').selectAll().execute();
  assert.deepEqual(new Set(attempts.map(({ raw }) => raw)), new Set([null]), 'their signed bytes are not kept');
});

forEachDatabase('a proof is stamped when its block has enough confirmations', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { confirmations: 4 });
  await scene.request(3);
  assert.deepEqual(await scene.round(), { sent: 0, stamped: 0, waitCode: null, isUnfinished: true });
  await node.mine();
  assert.deepEqual(await scene.round(), { sent: 3, stamped: 0, waitCode: null, isUnfinished: true });
  assert.deepEqual(await scene.statuses(), { stamping: 3 });
  await node.mine(3);
  assert.equal((await scene.round()).stamped, 0);
  assert.deepEqual(await scene.statuses(), { stamping: 3 });
  await node.mine();
  assert.equal((await scene.round()).stamped, 3);
  assert.deepEqual(await scene.round(), { sent: 0, stamped: 0, waitCode: null, isUnfinished: false });
});

forEachDatabase('a round that takes no new proofs takes a full batch', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 5 });
  await scene.request(4);
  await scene.round(scene.stamper, false);
  assert.deepEqual(await scene.states(), {});
  await scene.request(1);
  await scene.round(scene.stamper, false);
  await node.mine();
  assert.equal((await scene.round(scene.stamper, false)).sent, 5);
});

forEachDatabase('a batch for which blocks have no room is divided', STAMPING, async ({ database }) => {
  await using proxy = await startNodeProxy(node.url, ({ method, params, forward }) => {
    const [{ data = '' } = {}] = params as { data?: string }[];
    const isTooLarge = method === 'eth_estimateGas' && data.length > encodeObjects(NO_CID, [NO_CID, NO_CID]).length;
    return isTooLarge ? { error: { code: -32_000, message: 'gas required exceeds allowance' } } : forward();
  });
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await scene.request(7);
  await scene.settle();
  assert.deepEqual(await scene.statuses(), { stamped: 7 });
  assert.equal((await scene.committed()).length, 7);
});

forEachDatabase('at most four transactions are open', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 2 });
  await scene.request(1);
  await scene.settle();
  await scene.request(20);
  assert.equal((await scene.round()).sent, 8);
  assert.equal((await scene.round()).sent, 0);
  await node.mine();
  assert.equal((await scene.round()).sent, 8);
  await scene.settle();
  assert.deepEqual(await scene.statuses(), { stamped: 21 });
});

forEachDatabase('proofs wait for funds, and are stamped when there are some', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 2 });
  await scene.request(1);
  await scene.settle();
  await node.setBalance(scene.account.address, 1_000n);
  await scene.request(2);
  assert.equal((await scene.round()).waitCode, 'OUT_OF_FUNDS');
  assert.deepEqual(await scene.statuses(), { stamped: 1, 'pending OUT_OF_FUNDS': 2 });
  assert.deepEqual(await scene.states(), { stamped: 2 }, 'no intent was written');
  await node.setBalance(scene.account.address, 10n ** 20n);
  await scene.settle();
  assert.deepEqual(await scene.statuses(), { stamped: 3 });
});

forEachDatabase('proofs beyond the daily limit wait', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await scene.request(5);
  const stamper = scene.another({}, 3);
  await scene.settle(stamper);
  assert.equal((await scene.round(stamper)).waitCode, 'DAILY_LIMIT');
  assert.deepEqual(await scene.statuses(), { stamped: 3, 'pending DAILY_LIMIT': 2 });
});

forEachDatabase('a node that cannot be reached does not stop the start', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await scene.request(2);
  const url = 'http://127.0.0.1:9/v3/secret-project-key';
  const stamper = scene.another({ url });
  assert.equal(await stamper.check(NEVER), false);
  for (const _ of [1, 2]) assert.equal((await scene.round(stamper)).waitCode, 'STAMPER_UNREACHABLE');
  assert.deepEqual(await scene.statuses(), { 'pending STAMPER_UNREACHABLE': 2 });
  assert.equal(scene.logged().split('\n').filter(Boolean).length, 1, 'the problem is logged once');
  assert.doesNotMatch(scene.logged(), /secret|127\.0\.0\.1/);
  await scene.settle();
  assert.deepEqual(await scene.statuses(), { stamped: 2 });
});

forEachDatabase('a wrong chain or contract stops the start, and nothing is sent', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await scene.request(2);
  assert.equal(await scene.stamper.check(NEVER), true);
  const wrong = [
    [{ chainId: 1 }, /^ALMANAC_CHAIN_ID: is 1, but the node of ALMANAC_CHAIN_URL has the chain 31337\.$/],
    [
      { contract: scene.account.address },
      /^ALMANAC_CHAIN_CONTRACT: the chain 31337 has no contract at 0x[0-9a-f]{40}\.$/,
    ],
    [{ contract: await deployOther() }, /^ALMANAC_CHAIN_CONTRACT: the contract at 0x[0-9a-f]{40} is not a commitment/],
  ] as const;
  for (const [options, message] of wrong) {
    const stamper = scene.another(options);
    await assert.rejects(stamper.check(NEVER), (error) => error instanceof ConfigError && message.test(error.message));
    assert.equal((await scene.round(stamper)).waitCode, 'STAMPER_REJECTED');
  }
  assert.deepEqual(await scene.statuses(), { 'pending STAMPER_REJECTED': 2 });
  assert.deepEqual(await scene.states(), {});
});

/** Deploys a contract that accepts every call and returns nothing. */
async function deployOther(): Promise<string> {
  const [from] = await node.rpc<string[]>('eth_accounts');
  const hash = await node.rpc<string>('eth_sendTransaction', [{ from, data: '0x6001600c60003960016000f300' }]);
  await node.mine();
  const { contractAddress } = await node.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', [hash]);
  return contractAddress;
}
