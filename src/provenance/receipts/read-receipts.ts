import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { TimestampReceipt } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { PROOF_SCHEMA_VERSION } from '../documents/forecast-proof.ts';
import type { StampPolicy } from './request-stamp.ts';
import type { ProofTable, ProvenanceTables } from './tables.ts';

export type ReceiptView = z.output<typeof TimestampReceipt>;
type Proof = Selectable<ProofTable>;

/** Returns the receipts of proofs as the API shows them, by content id. */
export async function readReceipts(
  executor: Executor,
  policy: StampPolicy,
  contentCids: readonly string[],
): Promise<Map<string, ReceiptView>> {
  const rows =
    contentCids.length === 0
      ? []
      : await executor
          .query<ProvenanceTables>()
          .selectFrom('proof')
          .selectAll()
          .where('content_cid', 'in', contentCids)
          .execute();
  const byId = new Map(rows.map((row) => [row.content_cid, row]));
  return new Map(contentCids.map((cid) => [cid, viewReceipt(cid, byId.get(cid), policy)]));
}

/** Returns the receipt of one proof as the API shows it. */
export async function readReceipt(executor: Executor, policy: StampPolicy, contentCid: string): Promise<ReceiptView> {
  const receipts = await readReceipts(executor, policy, [contentCid]);
  return receipts.get(contentCid) as ReceiptView;
}

function viewReceipt(contentCid: string, proof: Proof | undefined, { isConfigured }: StampPolicy): ReceiptView {
  const common = {
    provider: 'vbase',
    schema_version: PROOF_SCHEMA_VERSION,
    content_cid: contentCid,
  } as const;
  if (proof?.status === 'stamped') {
    return { ...common, status: 'stamped', receipt: viewStamp(proof), error_code: null };
  }
  // Proofs that were handed over wait until a chain is configured again.
  if (!isConfigured) return { ...common, status: 'unavailable', receipt: null, error_code: 'CHAIN_NOT_CONFIGURED' };
  if (proof === undefined) return { ...common, status: 'unavailable', receipt: null, error_code: 'NOT_SELECTED' };
  const { status, error_code } = proof;
  return { ...common, status, receipt: null, error_code: status === 'pending' ? error_code : null };
}

function viewStamp(proof: Proof): NonNullable<ReceiptView['receipt']> {
  const { content_cid, set_cid, transaction_hash, user_address, user_label, chain_id, stamped_at } = proof;
  // A constraint of the table makes these columns null together.
  if (set_cid === null || transaction_hash === null || chain_id === null || stamped_at === null) {
    throw new Error(`The receipt of the proof ${content_cid} is incomplete.`);
  }
  return {
    object_cid: content_cid,
    set_cid,
    transaction_hash,
    user_address,
    ...(user_label !== null && { user_label }),
    chain_id,
    timestamp: stamped_at.toISOString(),
  };
}
