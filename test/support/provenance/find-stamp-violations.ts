import { sql } from 'kysely';
import type { Database, OutboxTables } from '../../../src/platform/index.ts';
import type { EvmNode } from '../chain/evm-node.ts';
import { readProofFiles, type TestProof } from './proof-files.ts';
import { createCachedNode, findStampProblems } from './second-verifier.ts';

export interface StampedScene {
  readonly database: Database;
  readonly node: EvmNode;
  readonly contract: string;
  readonly sender: string;
  readonly proofs: readonly TestProof[];
}

/**
 * Finds what is wrong after stamping has ended: every proof has exactly one event on the chain and a receipt that the
 * second implementation accepts, and no nonce is missing or waits.
 */
export async function findStampViolations(scene: StampedScene): Promise<string[]> {
  return [
    ...(await findEventViolations(scene)),
    ...(await findNonceViolations(scene)),
    ...(await findReceiptViolations(scene)),
    ...(await findRowViolations(scene)),
  ];
}

async function findEventViolations({ node, contract, proofs }: StampedScene): Promise<string[]> {
  const events = await node.loggedEvents(contract);
  const sets = events.filter(({ name }) => name === 'AddSet').length;
  const objects = Map.groupBy(
    events.filter(({ name }) => name === 'AddSetObject'),
    ({ objectCid }) => objectCid,
  );
  const violations = sets === 1 ? [] : [`the chain has ${sets} AddSet events`];
  for (const { cid } of proofs) {
    const found = objects.get(cid)?.length ?? 0;
    if (found !== 1) violations.push(`the chain has ${found} AddSetObject events of ${cid}`);
    objects.delete(cid);
  }
  if (objects.size > 0) violations.push(`the chain has ${objects.size} other content ids`);
  return violations;
}

async function findNonceViolations({ database, node, sender }: StampedScene): Promise<string[]> {
  const count = async (block: string) => Number(await node.rpc('eth_getTransactionCount', [sender, block]));
  const [latest, pending] = [await count('latest'), await count('pending')];
  const pool = await node.rpc<{ from: string }[]>('eth_pendingTransactions');
  const left = pool.filter(({ from }) => from.toLowerCase() === sender.toLowerCase()).length;
  const { rows } = await sql<{ nonce: number; kind: string }>`
    SELECT nonce, kind FROM stamp_transaction WHERE state <> 'replaced' ORDER BY nonce`.execute(database.query());
  const violations: string[] = [];
  if (latest !== pending || left > 0)
    violations.push(`nonces ${latest} to ${pending}, ${left} transactions in the pool`);
  if (rows.length !== latest || rows.some(({ nonce }, i) => nonce !== i)) {
    violations.push(`${latest} nonces are used, but the rows have ${rows.map(({ nonce }) => nonce).join(', ')}`);
  }
  const sets = rows.filter(({ kind }) => kind === 'set').length;
  if (sets !== 1) violations.push(`${sets} transactions add the set`);
  return violations;
}

async function findReceiptViolations({ database, node, contract, proofs }: StampedScene): Promise<string[]> {
  const call = createCachedNode(node.url);
  const files = await readProofFiles(database, proofs);
  const problems = await Promise.all(files.map((file) => findStampProblems(file, { call, contract })));
  return problems.flatMap((found, i) => (found.length === 0 ? [] : [`${proofs[i]?.cid}: ${found.join(', ')}`]));
}

async function findRowViolations({ database, proofs }: StampedScene): Promise<string[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    SELECT state, count(*) FROM stamp_transaction WHERE state <> 'final' GROUP BY state`.execute(database.query());
  const violations = rows.map(({ state, count }) => `${count} transactions are ${state}`);
  const events = await database.query<OutboxTables>().selectFrom('outbox_event').select(['type', 'subject']).execute();
  const subjects = new Set(events.filter(({ type }) => type === 'receipt.stamped').map(({ subject }) => subject));
  const silent = proofs.filter(({ document }) => !subjects.has(document.forecast_id)).length;
  if (silent > 0) violations.push(`${silent} proofs have no event receipt.stamped`);
  return violations;
}
