import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { sql } from 'kysely';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import {
  addSet,
  assertStamped,
  attempts,
  openTransactions,
  sendForeign,
} from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING, type StampingScene } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { isRecord, type OutboxTables } from '../../platform/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { encodeObjects } from './chain-client.ts';
import { writeIntent } from './intents.ts';
import { readProofsOf } from './transaction-rows.ts';

const MINUTE_MS = 60_000;
const GWEI = 10n ** 9n;

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

forEachDatabase('a block that goes before it is confirmed leaves one stamp', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await scene.request(3);
  // The transaction that adds the set goes as well.
  const snapshot = await node.snapshot();
  await scene.round();
  await node.mine();
  await scene.round();
  await node.mine();
  await scene.round();
  assert.deepEqual(await scene.statuses(), { stamping: 3 });
  assert.deepEqual(await scene.states(), { stamped: 1, mined: 1 });
  await node.revert(snapshot);
  await node.mine(5);
  await scene.round();
  assert.deepEqual(await scene.states(), { open: 2 });
  assert.deepEqual(await scene.statuses(), { stamping: 3 }, 'it is sent again in the same round');
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('a stamp whose block goes is pending again, and is made again', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await scene.request(2);
  await scene.settle();
  const snapshot = await node.snapshot();
  await scene.request(2);
  await scene.settle();
  assert.deepEqual(await scene.statuses(), { stamped: 4 });
  await node.revert(snapshot);
  // The node refuses what is sent again, so that the state in between can be seen.
  await node.setBalance(scene.account.address, 0n);
  assert.equal((await scene.round()).waitCode, 'OUT_OF_FUNDS');
  assert.deepEqual(await scene.statuses(), { stamped: 2, 'pending OUT_OF_FUNDS': 2 });
  const { rows } = await sql`SELECT FROM proof WHERE num_nonnulls(transaction_hash, set_cid, user_address, chain_id,
    stamped_at) > 0`.execute(database.query());
  assert.equal(rows.length, 2, 'the receipts are gone');
  await node.setBalance(scene.account.address, 10n ** 20n);
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('a dropped transaction is sent again', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 2 });
  await addSet(scene);
  await scene.request(4);
  await scene.round();
  for (const hash of await attempts(scene)) assert.ok(await node.drop(hash));
  await node.mine();
  assert.deepEqual(await scene.states(), { stamped: 2, open: 2 });
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('the fees of a stuck transaction are raised', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 2 });
  await addSet(scene);
  await scene.request(4);
  await scene.round();
  // Now the first two cannot be mined, because the base fee is above what they pay.
  await node.setNextBaseFee(1_000n * GWEI);
  await node.mine();
  assert.deepEqual(await scene.states(), { stamped: 2, open: 2 });
  await scene.round();
  assert.equal((await attempts(scene)).length, 4, 'both have a second attempt');
  await scene.round();
  assert.equal((await attempts(scene)).length, 4);
  scene.advance(4 * MINUTE_MS);
  await scene.round();
  assert.equal((await attempts(scene)).length, 5, 'only the next nonce can be overdue');
  await scene.settle();
  await assertStamped(scene);
  await node.setNextBaseFee(GWEI);
  await node.mine();
});

forEachDatabase('the attempts of a transaction differ only in their fees', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(2);
  await scene.round();
  scene.advance(4 * MINUTE_MS);
  await scene.round();
  const [transaction] = await openTransactions(scene);
  const [cheap, dear] = transaction?.attempts ?? [];
  for (const fee of ['max_fee', 'priority_fee'] as const) {
    assert.ok(8n * BigInt(dear?.[fee] ?? 0) >= 9n * BigInt(cheap?.[fee] ?? 0), 'nodes require 10 % more');
  }
  // The node has replaced the cheap one, so only one of them can be mined.
  assert.equal(await node.rpc('eth_getTransactionByHash', [cheap?.hash]), null);
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('a foreign transaction that takes the nonce costs no stamp', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(3);
  await scene.round();
  const [hash] = await attempts(scene);
  await node.drop(hash ?? '');
  await sendForeign(scene, { to: scene.account.address, nonce: 2 });
  await node.mine();
  await scene.round();
  assert.deepEqual(await scene.states(), { stamped: 2, open: 1 }, 'not decided before it is confirmed');
  await scene.settle();
  await assertStamped(scene);
  assert.deepEqual(await scene.states(), { stamped: 3, replaced: 1 });
});

forEachDatabase('a foreign transaction with the same proofs is their stamp', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 3 });
  await addSet(scene);
  await scene.request(6);
  await scene.round();
  const [first] = await openTransactions(scene);
  await node.drop(first?.attempts[0]?.hash ?? '');
  // As if it was an attempt that a restored database does not know.
  const cids = await readProofsOf(database, first?.id ?? '');
  await sendForeign(scene, { to: scene.contract, nonce: 2, data: encodeObjects(first?.set_cid ?? '', cids.slice(1)) });
  await node.mine();
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('transactions of a crashed process are sent by the next', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(3);
  // The intent is written, but the node does not get it.
  await using proxy = await startNodeProxy(node.url, ({ method, forward }) =>
    method === 'eth_sendRawTransaction' ? 'broken' : forward(),
  );
  const dies = scene.another({ url: proxy.url });
  assert.equal((await scene.round(dies)).waitCode, 'STAMPER_UNREACHABLE');
  assert.deepEqual(await scene.states(), { stamped: 2, open: 1 });
  assert.deepEqual(await scene.statuses(), { stamped: 1, 'pending STAMPER_UNREACHABLE': 3 });
  // A mistake in the settings does not free the proofs of a transaction that can still be mined.
  await scene.round(scene.another({ chainId: 1 }));
  const [open] = await openTransactions(scene);
  assert.equal((await readProofsOf(database, open?.id ?? '')).length, 3);
  await scene.settle(scene.another());
  await assertStamped(scene);
});

forEachDatabase('two stampers at the same moment stamp each proof once', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 4 });
  await scene.request(30);
  const stampers = [scene.stamper, scene.another(), scene.another()];
  for (let left = 60; (await scene.statuses()).stamped !== 30; left--) {
    assert.ok(left > 0, 'the stampers make progress');
    await Promise.all(stampers.map((stamper) => scene.round(stamper)));
    await node.mine();
  }
  await assertStamped(scene);
  assert.equal(await countEvents(scene), 30);
});

forEachDatabase('after a restored backup, what the chain has is not sent again', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database, { batchSize: 4, maxOpen: 2 });
  await scene.request(14);
  await scene.round();
  await node.mine();
  await scene.round();
  await node.mine();
  await scene.round();
  // Two transactions are in a block, and two wait in the pool. The backup has none of them.
  await sql`UPDATE proof SET status = 'pending', transaction_id = NULL, place = NULL, claimed_at = NULL`.execute(
    database.query(),
  );
  await sql`DELETE FROM stamp_transaction`.execute(database.query());
  await scene.request(3);
  await scene.round(scene.another());
  assert.deepEqual(await scene.states(), {}, 'nothing is begun while the pool has unknown transactions');
  await node.mine();
  await scene.settle(scene.another());
  await assertStamped(scene);
});

forEachDatabase('a transaction without the events of its proofs stamps nothing', STAMPING, async ({ database }) => {
  await using proxy = await startNodeProxy(node.url, async ({ method, forward }) => {
    const { result } = await forward();
    return { result: method === 'eth_getTransactionReceipt' && isRecord(result) ? { ...result, logs: [] } : result };
  });
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await scene.request(2);
  await scene.settle();
  assert.deepEqual(await scene.states(), { stamped: 1, failed: 1 });
  assert.deepEqual(await scene.statuses(), { 'pending STAMPER_REJECTED': 2 });
});

forEachDatabase('a proof and a nonce belong to one transaction', STAMPING, async ({ database }) => {
  const [a = '', b = '', c = ''] = await (await createStampingScene(node, database)).request(3);
  const write = (nonce: number, ...contentCids: string[]) => {
    const intent = { chainId: 1, contract: '0x1', sender: '0x2', setCid: '0x3', data: '0x', gas: 1, fromBlock: 1 };
    const fees = { maxFee: 1n, priorityFee: 1n, isLegacy: false };
    const attempt = { hash: `0x${nonce}${contentCids.length}`, raw: '0x', fees };
    return writeIntent(database, { ...intent, nonce, contentCids }, attempt, new Date());
  };
  assert.notEqual(await write(1, a), null);
  assert.equal(await write(1, b), null);
  assert.equal(await write(2, a, b), null);
  const races = await Promise.all([write(3, b, c), write(4, c, b)]);
  assert.equal(races.filter((row) => row !== null).length, 1);
  const rows = await database.query<ProvenanceTables>().selectFrom('stamp_attempt').selectAll().execute();
  assert.equal(rows.length, 2, 'nothing is stored of the others');
});

forEachDatabase('proofs of a transaction that the contract refuses are sent again', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(2);
  // The gas limit of the transaction is too low to execute it.
  await using proxy = await startNodeProxy(node.url, async ({ method, forward }) => {
    const reply = await forward();
    return method === 'eth_estimateGas'
      ? { result: `0x${Math.round(0.7 * Number(reply.result)).toString(16)}` }
      : reply;
  });
  await scene.round(scene.another({ url: proxy.url }));
  await node.mine();
  await scene.round();
  assert.deepEqual(await scene.states(), { stamped: 2, failed: 1 });
  assert.deepEqual(await scene.statuses(), { stamped: 1, 'pending STAMPER_REJECTED': 2 });
  await node.mine(70);
  await scene.round();
  assert.deepEqual(await scene.states(), { final: 3 });
  assert.equal((await scene.round()).sent, 0, 'not before a minute has passed');
  scene.advance(2 * MINUTE_MS);
  await scene.settle();
  await assertStamped(scene);
});

forEachDatabase('proofs begun on another chain are stamped on the configured one', STAMPING, async ({ database }) => {
  const scene = await createStampingScene(node, database);
  await addSet(scene);
  await scene.request(2);
  await scene.round();
  const [hash] = await attempts(scene);
  await node.drop(hash ?? '');
  await sql`UPDATE stamp_transaction SET chain_id = 5 WHERE state = 'open'`.execute(database.query());
  await scene.settle(scene.another());
  await assertStamped(scene);
});

forEachDatabase('a chain without a base fee gets a gas price', STAMPING, async ({ database }) => {
  await using proxy = await startNodeProxy(node.url, async ({ forward }) => {
    const { result, ...rest } = await forward();
    return { ...rest, result: isRecord(result) ? { ...result, baseFeePerGas: undefined } : result };
  });
  const scene = await createStampingScene(node, database, { url: proxy.url });
  await addSet(scene);
  await scene.request(2);
  await scene.round();
  scene.advance(4 * MINUTE_MS);
  await scene.round();
  const [, hash] = await attempts(scene);
  assert.equal((await node.rpc<{ type: string }>('eth_getTransactionByHash', [hash])).type, '0x0');
  await scene.settle();
  await assertStamped(scene);
});

async function countEvents({ database }: StampingScene): Promise<number> {
  return (await database.query<OutboxTables>().selectFrom('outbox_event').select('id').execute()).length;
}
