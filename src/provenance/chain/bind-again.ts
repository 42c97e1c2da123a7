import type { Database } from '../../platform/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { lockWaitingProofs } from '../receipts/waiting-proofs.ts';
import { decodeObjects } from './chain-client.ts';
import { bindProofs } from './intents.ts';
import type { TransactionRow } from './transaction-rows.ts';

/** The states in which a transaction can still stamp proofs. */
const UNSTAMPED = ['open', 'mined', 'failed'] as const;

/**
 * Binds proofs to the transactions that contain them, if they were freed while another chain was configured. The
 * transactions may be in the pool or in a block, so another one would commit the proofs a second time.
 */
export async function bindAgain(database: Database, transactions: readonly TransactionRow[]): Promise<void> {
  for (const { id, data } of transactions) {
    await database.transaction(async (tx) => {
      await lockWaitingProofs(tx);
      const row = await tx
        .query<ProvenanceTables>()
        .selectFrom('stamp_transaction')
        .select('id')
        .where('id', '=', id)
        .where('state', 'in', UNSTAMPED)
        .forUpdate()
        .executeTakeFirst();
      if (row !== undefined) await bindProofs(tx, id, decodeObjects(data));
    });
  }
}
