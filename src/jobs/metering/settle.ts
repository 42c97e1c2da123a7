import type { Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';
import { type TransferKind, transferName, writeTransfer } from './transfer.ts';

export interface Settlement {
  readonly owner: string;
  readonly forecastId: string;
  readonly credits: number;
  readonly now: Date;
}

/** The forecast completed: its credits are spent, in the month of the reservation. */
export async function capture(tx: Transaction, settlement: Settlement): Promise<void> {
  const month = await takeReservation(tx, settlement);
  await writeTransfer(tx, { ...settlement, kind: 'capture', from: 'reserved', to: 'spent', month });
}

/** The forecast failed or was cancelled: its credits are available again, in the month of the reservation. */
export async function release(tx: Transaction, settlement: Settlement): Promise<void> {
  const month = await takeReservation(tx, settlement);
  await writeTransfer(tx, { ...settlement, kind: 'release', from: 'reserved', to: 'available', month });
}

/**
 * Throws unless the reservation is open and is this one. A caller reaches this only after it has changed the state of
 * the forecast from an unfinished one, so whatever is thrown here is a fault of ours.
 *
 * @returns the month of the reservation
 */
async function takeReservation(tx: Transaction, { owner, forecastId, credits }: Settlement): Promise<string> {
  // The lock makes the other one who settles wait, and then find what was written here.
  const reservation = await tx
    .query<JobTables>()
    .selectFrom('ledger_entry')
    .select(['owner', 'month', 'amount'])
    .where('transfer', '=', transferName('reserve', forecastId))
    .where('ledger_account', '=', 'reserved')
    .forUpdate()
    .executeTakeFirst();
  if (!reservation) throw new Error(`Nothing is reserved for ${forecastId}.`);
  if (reservation.owner !== owner) throw new Error(`${owner} has no reservation for ${forecastId}.`);
  if (reservation.amount !== credits) {
    throw new Error(`${reservation.amount} credits are reserved for ${forecastId}, not ${credits}.`);
  }
  const settled = await findSettlement(tx, forecastId);
  if (settled) throw new Error(`${forecastId} is settled already: ${settled}.`);
  return reservation.month;
}

const SETTLEMENTS: readonly TransferKind[] = ['capture', 'release'];

async function findSettlement(tx: Transaction, forecastId: string): Promise<string | undefined> {
  const names = SETTLEMENTS.map((kind) => transferName(kind, forecastId));
  const row = await tx
    .query<JobTables>()
    .selectFrom('ledger_entry')
    .select('transfer')
    .where('transfer', 'in', names)
    .limit(1)
    .executeTakeFirst();
  return row?.transfer;
}
