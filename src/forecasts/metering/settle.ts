import { sql } from 'kysely';
import type { Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';
import { transferName } from './transfer.ts';

export interface Settlement {
  readonly owner: string;
  readonly forecastId: string;
  readonly credits: number;
  readonly now: Date;
}

/** The forecast completed: its credits are spent, in the month of the reservation. */
export function capture(tx: Transaction, settlement: Settlement): Promise<void> {
  return settle(tx, settlement, 'capture', 'spent');
}

/** The forecast failed or was cancelled: its credits are available again, in the month of the reservation. */
export function release(tx: Transaction, settlement: Settlement): Promise<void> {
  return settle(tx, settlement, 'release', 'available');
}

/**
 * Moves what is reserved, in one statement: the index takes one such entry for each forecast, so of two who settle the
 * second waits for the first and then changes nothing.
 *
 * Throws unless the reservation is open and is this one. A caller reaches this only after it has changed the state of
 * the forecast from an unfinished one, so whatever is thrown here is a fault of ours.
 */
async function settle(
  tx: Transaction,
  settlement: Settlement,
  kind: 'capture' | 'release',
  to: 'spent' | 'available',
): Promise<void> {
  const { owner, forecastId, credits, now } = settlement;
  const transfer = transferName(kind, forecastId);
  const { rows } = await sql`
    WITH taken AS (
      INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
      SELECT ${transfer}, owner, month, 'reserved', -amount, forecast_id, ${now}::timestamptz
      FROM ledger_entry
      WHERE transfer = ${transferName('reserve', forecastId)} AND ledger_account = 'reserved'
        AND owner = ${owner} AND amount = ${credits}
      ON CONFLICT DO NOTHING
      RETURNING transfer, owner, month, amount, forecast_id, created_at
    )
    INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
    SELECT transfer, owner, month, ${to}, -amount, forecast_id, created_at FROM taken
    RETURNING id`.execute(tx.query());
  if (rows.length === 0) throw new Error(await whyNot(tx, settlement));
}

async function whyNot(tx: Transaction, { owner, forecastId, credits }: Settlement): Promise<string> {
  const entries = await tx
    .query<JobTables>()
    .selectFrom('ledger_entry')
    .select(['transfer', 'owner', 'amount'])
    .where('forecast_id', '=', forecastId)
    .where('ledger_account', '=', 'reserved')
    .execute();
  const reservation = entries.find(({ transfer }) => transfer === transferName('reserve', forecastId));
  const settled = entries.find((entry) => entry !== reservation);
  if (!reservation) return `Nothing is reserved for ${forecastId}.`;
  if (reservation.owner !== owner) return `${owner} has no reservation for ${forecastId}.`;
  if (reservation.amount !== credits)
    return `${reservation.amount} credits are reserved for ${forecastId}, not ${credits}.`;
  return settled ? `${forecastId} is settled already: ${settled.transfer}.` : `${forecastId} could not be settled.`;
}
