import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { readWatched, type WatchedTransaction } from '../../../src/provenance/chain/transaction-rows.ts';
import type { ProvenanceTables } from '../../../src/provenance/receipts/tables.ts';
import type { Hex } from './node-controls.ts';
import type { StampingScene } from './stamping-scene.ts';

/** Has one proof stamped, and with it the set added. */
export async function addSet(scene: StampingScene): Promise<void> {
  await scene.request(1);
  await scene.settle();
}

/** Checks that every proof is stamped by exactly one event, as its receipt tells, and that no nonce is missing. */
export async function assertStamped({ node, account, database, committed }: StampingScene): Promise<void> {
  const query = database.query<ProvenanceTables>();
  const proofs = await query.selectFrom('proof').selectAll().orderBy('content_cid').execute();
  const events = (await committed()).map(({ objectCid, setCid, transactionHash, timestamp }) => {
    return [objectCid, setCid, transactionHash, timestamp];
  });
  assert.deepEqual(
    proofs.map((proof) => [proof.content_cid, proof.set_cid, proof.transaction_hash, Number(proof.stamped_at) / 1_000]),
    events.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
  const used = await node.rpc<Hex>('eth_getTransactionCount', [account.address, 'latest']);
  const rows = await query
    .selectFrom('stamp_transaction')
    .select('nonce')
    .where('state', '<>', 'replaced')
    .where('chain_id', '=', node.chainId)
    .execute();
  assert.ok(rows.every(({ nonce }) => nonce < Number(used)));
}

/** Returns the transactions that no block contains. */
export async function openTransactions({ database, node }: StampingScene): Promise<WatchedTransaction[]> {
  return (await readWatched(database, node.chainId)).filter(({ state }) => state === 'open');
}

/** Returns the hashes of all attempts of the open transactions. */
export async function attempts(scene: StampingScene): Promise<string[]> {
  return (await openTransactions(scene)).flatMap(({ attempts }) => attempts.map(({ hash }) => hash));
}

/** Sends a transaction of another program that has the key. */
export async function sendForeign(
  { account, node }: StampingScene,
  transaction: { readonly to: Hex; readonly nonce: number; readonly data?: Hex },
): Promise<void> {
  const fees = { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n, gas: 1_000_000n };
  const content = { type: 'eip1559', chainId: node.chainId, ...fees, ...transaction } as const;
  await node.rpc('eth_sendRawTransaction', [await privateKeyToAccount(account.privateKey).signTransaction(content)]);
}
