import type { Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';
import { monthOf } from './month.ts';
import { writeTransfer } from './transfer.ts';
import { usageOf } from './usage.ts';

export interface Reservation {
  readonly owner: string;
  readonly forecastId: string;
  readonly credits: number;
  /** Credits of the owner's month; null: no limit. */
  readonly limit: number | null;
  readonly now: Date;
}

/**
 * Sets a forecast's credits aside, of the month that it is in UTC. Comes after `admit`, in the same transaction.
 *
 * @returns false when too few are left. Nothing was written then, but the slot is still taken: roll back.
 */
export async function reserve(tx: Transaction, reservation: Reservation): Promise<boolean> {
  const { owner, forecastId, credits, limit, now } = reservation;
  const month = monthOf(now);
  await lockAdmission(tx, owner);
  if (limit !== null) {
    const { reserved, spent } = await usageOf(tx, owner, month);
    if (reserved + spent + credits > limit) return false;
  }
  await writeTransfer(tx, {
    kind: 'reserve',
    from: 'available',
    to: 'reserved',
    owner,
    month,
    forecastId,
    credits,
    now,
  });
  return true;
}

/**
 * Makes the owner's reservations take turns: each sees all that were committed before, and none comes in between.
 * `admit` holds the lock already, so this waits for nobody; it is here so that nothing rests on the caller.
 */
async function lockAdmission(tx: Transaction, owner: string): Promise<void> {
  const row = await tx
    .query<JobTables>()
    .selectFrom('admission')
    .select('owner')
    .where('owner', '=', owner)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Error(`${owner} was not admitted: nothing can be reserved.`);
}
