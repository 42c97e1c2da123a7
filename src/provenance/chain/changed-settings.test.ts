import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { addSet, assertStamped, attempts } from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { OutboxTables } from '../../platform/index.ts';
import { releaseOtherChains } from '../receipts/waiting-proofs.ts';

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

forEachDatabase(
  'a transaction that an earlier key cannot pay does not stop the new key',
  STAMPING,
  async ({ database }) => {
    const scene = await createStampingScene(node, database);
    await addSet(scene);
    await scene.request(2);
    await scene.round();
    for (const hash of await attempts(scene)) await node.drop(hash);
    await node.setBalance(scene.account.address, 0n);
    const { privateKey: key } = await node.createAccount();
    const changed = scene.another({ key });
    await scene.request(3);
    for (let left = 10; left > 0; left--) {
      await scene.round(changed);
      await node.mine();
    }
    assert.deepEqual(await scene.statuses(), { stamped: 4, stamping: 2 });
    await node.setBalance(scene.account.address, 10n ** 20n);
    for (let left = 5; left > 0; left--) {
      await scene.round(changed);
      await node.mine();
    }
    assert.deepEqual(await scene.statuses(), { stamped: 6 });
  },
);

forEachDatabase('a new key does not sign the transactions of an earlier one', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(2);
  await scene.round();
  const { privateKey: key } = await node.createAccount();
  scene.advance(10 * 60_000);
  await scene.round(scene.another({ key }));
  assert.equal((await attempts(scene)).length, 1);
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('proofs are stamped once if the chain is configured again', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(2);
  await scene.round();
  // Another way to stamp was configured for a while, and stamped nothing.
  await releaseOtherChains(database, null);
  await scene.settle(scene.another());
  await assertStamped(scene);
});

forEachDatabase('the set is added at once to another contract', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(1);
  await scene.settle(scene.another({ contract: await node.deployContract() }));
  assert.deepEqual(await scene.statuses(), { stamped: 2 });
});

forEachDatabase('a node that is behind does not take a stamp back', STAMPING, async ({ database }) => {
  let isBehind = false;
  await using proxy = await startNodeProxy(node.url, ({ method, params, forward }) =>
    isBehind && method === 'eth_getBlockByNumber' && params[0] !== 'latest' ? { result: null } : forward(),
  );
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await addSet(scene);
  isBehind = true;
  await scene.round();
  assert.deepEqual(await scene.statuses(), { stamped: 1 });
  isBehind = false;
  await scene.settle();
  const events = await database.query<OutboxTables>().selectFrom('outbox_event').select('id').execute();
  assert.equal(events.length, 1);
});

forEachDatabase('a node that does not know a block yet does not free its proofs', STAMPING, async ({ database }) => {
  let isBehind = false;
  await using proxy = await startNodeProxy(node.url, ({ method, forward }) => {
    if (isBehind && method === 'eth_getTransactionReceipt') return { result: null };
    return isBehind && method === 'eth_getLogs' ? { result: [] } : forward();
  });
  const scene = await createStampingScene(node, database, { url: proxy.url, confirmations: 1, takenAfterMs: 60_000 });
  await addSet(scene);
  await scene.request(2);
  await scene.round();
  await node.mine();
  isBehind = true;
  await scene.round();
  await scene.round();
  isBehind = false;
  await scene.settle();
  await assertStamped(scene);
});
