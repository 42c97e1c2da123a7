import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { addSet, assertStamped } from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, isRecord } from '../../platform/index.ts';

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

forEachDatabase('a receipt that had no events at first stamps its proofs', STAMPING, async ({ database }) => {
  const { scene, replies } = await startScene(database);
  replies.events = 0;
  await scene.request(3);
  await scene.settle();
  assert.deepEqual(await scene.states(), { stamped: 2, failed: 1 });
  replies.events = null;
  await node.mine(70);
  await scene.round();
  assert.deepEqual(await scene.statuses(), { stamped: 1, stamping: 3 });
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('only proofs without an event are released', STAMPING, async ({ database }) => {
  const { scene, replies } = await startScene(database);
  replies.events = 0;
  await scene.request(3);
  await scene.settle();
  replies.events = 2;
  await node.mine(70);
  await scene.round();
  await scene.round();
  assert.deepEqual(await scene.statuses(), { stamped: 3, 'pending STAMPER_REJECTED': 1 });
});

forEachDatabase('nothing is released while the receipt cannot be read again', STAMPING, async ({ database }) => {
  const { scene, replies } = await startScene(database);
  replies.events = 0;
  await scene.request(3);
  await scene.settle();
  replies.events = 'unknown';
  await node.mine(70);
  await scene.round();
  scene.advance(10 * 60_000);
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 2, failed: 1 });
  replies.events = null;
  await scene.round();
  await scene.settle();
  await assertStamped(scene);
});

const proxies: AsyncDisposable[] = [];
after(async () => {
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
});

/** Prepares a scene whose set was added, with a node that can leave out events of receipts. */
async function startScene(database: Database) {
  const replies: { events: number | 'unknown' | null } = { events: null };
  const proxy = await startNodeProxy(node.url, async ({ method, forward }) => {
    const { result, ...rest } = await forward();
    if (method !== 'eth_getTransactionReceipt' || !isRecord(result) || replies.events === null)
      return { ...rest, result };
    if (replies.events === 'unknown') return { result: null };
    return { result: { ...result, logs: (result.logs as unknown[]).slice(0, replies.events) } };
  });
  proxies.push(proxy);
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await addSet(scene);
  return { scene, replies };
}
