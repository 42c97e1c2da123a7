import type { Transaction } from '../platform/index.ts';
import { foldCharges } from './metering/fold-charges.ts';
import { NAMELESS } from './owner.ts';
import { isKeepable } from './removable-forecasts.ts';
import type { ForecastTables } from './tables.ts';

/**
 * Makes public forecasts of an account nameless, in the transaction that removes the account, before its workspaces are
 * removed. They then belong to no account and no workspace, so no caller can change or delete them. Their results, their
 * proofs and their frozen rows stay. Their costs stay in the ledger like those of removed forecasts. Lock the workspaces
 * first.
 *
 * @param chosen the ids of the forecasts, or `all`
 * @returns the ids of those that now are nameless. It lacks those of `chosen` that the account cannot keep
 */
export async function keepNameless(
  tx: Transaction,
  accountId: string,
  chosen: readonly string[] | 'all',
): Promise<readonly string[]> {
  if (chosen.length === 0) return [];
  const db = tx.query<ForecastTables>();
  const kept = await db
    .updateTable('forecast')
    .set({ owner: NAMELESS, payer: NAMELESS, account_id: null, workspace_id: null })
    .where(isKeepable(accountId))
    .$if(chosen !== 'all', (some) => some.where('id', 'in', chosen as readonly string[]))
    .returning('id')
    .execute();
  const ids = kept.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await foldCharges(tx, ids);
  // These name the account.
  await db.deleteFrom('idempotency_key').where('forecast_id', 'in', ids).execute();
  await db.deleteFrom('save_proof').where('forecast_id', 'in', ids).execute();
  await db.deleteFrom('member_charge').where('forecast_id', 'in', ids).execute();
  return ids;
}
