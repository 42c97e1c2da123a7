import type { Transaction } from '../../platform/index.ts';
import type { JobTables, LedgerEntryTable } from '../tables.ts';

export type TransferKind = 'reserve' | 'capture' | 'release';
type LedgerAccount = LedgerEntryTable['ledger_account'];

export interface Transfer {
  readonly kind: TransferKind;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly owner: string;
  readonly month: string;
  readonly forecastId: string;
  readonly credits: number;
  readonly now: Date;
}

/** Each forecast has one name for each kind, and the database takes a name once. */
export function transferName(kind: TransferKind, forecastId: string): string {
  return `${kind}:${forecastId}`;
}

/** Moves credits between two accounts of an owner's month. */
export async function writeTransfer(tx: Transaction, transfer: Transfer): Promise<void> {
  const { kind, from, to, owner, month, forecastId, credits, now } = transfer;
  // A negative transfer would add to the allowance.
  if (!Number.isSafeInteger(credits) || credits < 0) throw new RangeError(`${credits} is no number of credits.`);
  const common = {
    transfer: transferName(kind, forecastId),
    owner,
    month,
    forecast_id: forecastId,
    created_at: now,
  };
  await tx
    .query<JobTables>()
    .insertInto('ledger_entry')
    .values([
      { ...common, ledger_account: from, amount: 0 - credits },
      { ...common, ledger_account: to, amount: credits },
    ])
    .execute();
}
