import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { sql } from 'kysely';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { type ProxiedCall, type ProxiedReply, startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { assertStamped } from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING, type StampingScene } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

forEachDatabase('a search of which a node behind knows nothing is repeated', STAMPING, async ({ database }) => {
  let left = 1;
  await using proxy = await startNodeProxy(node.url, ({ method, forward }) => {
    if (method !== 'eth_getLogs' || left === 0) return forward();
    left -= 1;
    return { result: [] };
  });
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await commitAndForget(scene);
  await scene.request(1);
  await scene.settle(scene.another());
  assert.equal(left, 0);
  await assertStamped(scene);
});

forEachDatabase('a search at a node without the head does not count', STAMPING, async ({ database }) => {
  let isBehind = false;
  const reply = ({ method, forward }: ProxiedCall): Promise<ProxiedReply> | ProxiedReply => {
    if (isBehind && method === 'eth_getLogs') return { result: [] };
    return isBehind && method === 'eth_getBlockByHash' ? { result: null } : forward();
  };
  await using proxy = await startNodeProxy(node.url, reply);
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await commitAndForget(scene);
  isBehind = true;
  const next = scene.another();
  for (let left = 4; left > 0; left--) assert.equal((await scene.round(next)).sent, 0);
  isBehind = false;
  await scene.settle(next);
  await assertStamped(scene);
});

/** Commits proofs, and then removes the transactions from the database, as a restored backup does not have them. */
async function commitAndForget({ database, node, request, round }: StampingScene): Promise<void> {
  await request(3);
  await round();
  await node.mine();
  await round();
  await node.mine();
  await sql`UPDATE proof SET status = 'pending', transaction_id = NULL, place = NULL, claimed_at = NULL`.execute(
    database.query(),
  );
  await sql`DELETE FROM stamp_transaction`.execute(database.query());
}
