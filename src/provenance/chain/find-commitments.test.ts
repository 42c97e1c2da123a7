import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { addSet, assertStamped, openTransactions, sendForeign } from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { createChainClient, encodeObjects } from './chain-client.ts';
import { findCommitments } from './find-commitments.ts';
import { createJsonRpc } from './json-rpc.ts';
import { readProofsOf } from './transaction-rows.ts';

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

test('a request that was refused once does not make the others small', async () => {
  let requests = 0;
  await using proxy = await startNodeProxy(node.url, ({ method, forward }) => {
    if (method !== 'eth_getLogs') return forward();
    requests += 1;
    return requests <= 3 ? { error: { code: -32_000, message: 'the range is too large' } } : forward();
  });
  const rpc = createJsonRpc({ url: proxy.url, timeoutMs: 20_000, signal: new AbortController().signal });
  const { address } = await node.createAccount();
  const contract = await node.deployContract();
  await node.mine(12_000);
  const setCid = `0x${'1'.repeat(64)}`;
  const filter = { contract, user: address, setCid, fromBlock: 0, toBlock: 12_000 };
  assert.deepEqual(await findCommitments(createChainClient(rpc), filter), []);
  // Three refusals, 79, 158, … blocks, and 5,000 at most.
  assert.ok(requests < 15, `${requests} requests`);
});

forEachDatabase('a commitment in a block below that of the intent is found', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 2 });
  await addSet(scene);
  const snapshot = await node.snapshot();
  await node.mine(20);
  // The second transaction keeps its nonce, so that no nonce is unknown to the database.
  await scene.request(4);
  await scene.round();
  const [open] = await openTransactions(scene);
  await node.revert(snapshot);
  const cids = await readProofsOf(database, open?.id ?? '');
  await sendForeign(scene, { to: scene.contract, nonce: 2, data: encodeObjects(open?.set_cid ?? '', cids) });
  await node.mine(5);
  await scene.settle();
  await assertStamped(scene);
});
