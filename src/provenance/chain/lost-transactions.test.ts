import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { addSet, assertStamped, attempts } from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING, type StampingScene } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

forEachDatabase('stamping continues on a chain that was started again', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  const snapshot = await node.snapshot();
  await addSet(scene);
  await scene.request(1);
  await scene.settle();
  await node.mine(70);
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 3 });
  const final = new Set(await stampedCids(scene));
  // One transaction is confirmed, and one is sent.
  await scene.request(2);
  await scene.settle();
  await scene.request(3);
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 3, stamped: 1, open: 1 });
  await startAgain(scene, snapshot);
  await scene.request(4);
  await settleWaiting(scene);
  assert.deepEqual(await scene.statuses(), { stamped: 11 });
  const committed = (await scene.committed()).map(({ objectCid }) => objectCid ?? '');
  const expected = (await stampedCids(scene)).filter((cid) => !final.has(cid));
  assert.deepEqual(committed.sort(), expected, 'each proof without a final stamp is committed once');
  assert.equal(scene.logged().split('the chain has lost transactions').length, 2, 'logged once');
});

forEachDatabase('stamping continues if no transaction was open', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  const snapshot = await node.snapshot();
  await addSet(scene);
  await node.mine(70);
  await scene.round();
  await startAgain(scene, snapshot);
  await scene.request(2);
  await settleWaiting(scene);
  assert.deepEqual(await scene.statuses(), { stamped: 3 });
  assert.equal((await scene.committed()).length, 2);
});

forEachDatabase('two stampers give lost transactions up once', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 2 });
  const snapshot = await node.snapshot();
  await addSet(scene);
  await node.mine(70);
  await scene.round();
  await scene.request(2);
  await scene.settle();
  await startAgain(scene, snapshot);
  await scene.request(6);
  const stampers = [scene.stamper, scene.another(), scene.another()];
  for (let left = 40; (await scene.statuses()).stamped !== 9; left--) {
    assert.ok(left > 0, 'the stampers make progress');
    await Promise.all(stampers.map((stamper) => scene.round(stamper)));
    await node.mine();
  }
  const committed = (await scene.committed()).map(({ objectCid }) => objectCid);
  assert.equal(committed.length, 8);
  assert.equal(new Set(committed).size, 8);
});

forEachDatabase('a node that is behind does not make transactions lost', STAMPING, async ({ database }) => {
  let behind: { readonly block: unknown; readonly count: unknown } | null = null;
  // It knows the chain up to a block, and nothing of what was sent later.
  await using proxy = await startNodeProxy(node.url, ({ method, params, forward }) => {
    if (behind === null || method === 'eth_chainId') return forward();
    if (method === 'eth_getTransactionCount') return { result: behind.count };
    if (method === 'eth_getBlockByNumber') return { result: params[0] === 'latest' ? behind.block : null };
    return { result: null };
  });
  const scene = await createStampingScene(node, database, { url: proxy.url });
  const block = await node.rpc('eth_getBlockByNumber', ['latest', false]);
  await addSet(scene);
  await node.mine(70);
  await scene.round();
  await scene.request(2);
  await scene.round();
  behind = { block, count: '0x0' };
  assert.equal((await scene.round()).waitCode, 'STAMPER_REJECTED');
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 2, open: 1 });
  behind = null;
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('lost nonces are given up only after the time that is set', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { takenAfterMs: 60_000 });
  const snapshot = await node.snapshot();
  await addSet(scene);
  await node.mine(70);
  await scene.round();
  await startAgain(scene, snapshot);
  await scene.request(1);
  await scene.round();
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 2 });
  scene.advance(61_000);
  await settleWaiting(scene);
  assert.deepEqual(await scene.statuses(), { stamped: 2 });
});

forEachDatabase('a lost transaction that the pool still has is not given up', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  const snapshot = await node.snapshot();
  await addSet(scene);
  await node.mine(70);
  await scene.round();
  await scene.request(2);
  await scene.round();
  const [hash = ''] = await attempts(scene);
  const { raw } = await database
    .query<ProvenanceTables>()
    .selectFrom('stamp_attempt')
    .select('raw')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  await startAgain(scene, snapshot);
  // It waits for the nonces before its own.
  await node.rpc('eth_sendRawTransaction', [raw]);
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 2, open: 1 });
  await node.drop(hash);
  await settleWaiting(scene);
  assert.deepEqual(await scene.statuses(), { stamped: 3 });
  assert.equal((await scene.committed()).length, 2);
});

/** Restores a chain without transactions of the scene's account, as it is after a new start and a new deployment. */
async function startAgain({ node, account }: StampingScene, snapshot: string): Promise<void> {
  const { timestamp } = await node.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  await node.revert(snapshot);
  await node.setNextBlockTime(Number(timestamp) + 100);
  await node.mine();
  assert.equal(await node.rpc('eth_getTransactionCount', [account.address, 'latest']), '0x0');
}

/** Runs rounds until no proof waits. */
async function settleWaiting(scene: StampingScene): Promise<void> {
  for (let left = 40; Object.keys(await scene.statuses()).some((status) => status !== 'stamped'); left--) {
    assert.ok(left > 0, `the stamper makes progress:\n${scene.logged()}`);
    await scene.round();
    await scene.node.mine();
  }
}

async function stampedCids({ database }: StampingScene): Promise<string[]> {
  const rows = await database
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .select('content_cid')
    .where('status', '=', 'stamped')
    .execute();
  return rows.map(({ content_cid }) => content_cid).sort();
}
