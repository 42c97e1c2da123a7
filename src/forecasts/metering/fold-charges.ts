import { sql } from 'kysely';
import type { Transaction } from '../../platform/index.ts';

/**
 * Replaces the entries of removed forecasts with one transfer for each payer and month, so that the ledger does not
 * grow with forecasts that are created and removed. What the forecasts cost stays spent; a released reservation leaves
 * nothing. The forecasts must have ended.
 *
 * A guest whose session was removed spends no more credits, so its entries are removed.
 */
export async function foldCharges(tx: Transaction, forecastIds: readonly string[]): Promise<void> {
  if (forecastIds.length === 0) return;
  const transfers = forecastIds.flatMap((id) => [`reserve:${id}`, `capture:${id}`, `release:${id}`]);
  // The rows are inserted in one order, so that concurrent removals of a payer's forecasts cannot deadlock.
  await sql`
    WITH gone AS (
      DELETE FROM ledger_entry WHERE transfer = ANY (${transfers}::text[])
      RETURNING owner, month, ledger_account, amount, created_at
    )
    INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
    SELECT 'removed:' || owner || ':' || month, owner, month, ledger_account, sum(amount),
      'removed:' || owner || ':' || month, max(created_at)
    FROM gone
    WHERE ledger_account IN ('available', 'spent')
      AND (owner NOT LIKE 'gst\\_%' OR EXISTS (SELECT 1 FROM guest_session WHERE guest_session.id = owner))
    GROUP BY owner, month, ledger_account
    HAVING sum(amount) <> 0
    ORDER BY owner, month, ledger_account
    ON CONFLICT (transfer, ledger_account) DO UPDATE
    SET amount = ledger_entry.amount + excluded.amount, created_at = excluded.created_at`.execute(tx.query());
}
