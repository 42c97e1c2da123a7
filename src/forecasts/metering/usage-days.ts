import { sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { Clock, Database, Transaction } from '../../platform/index.ts';
import type { ForecastTables } from '../tables.ts';

// What accounts used on each day. Guests are left out: they have no history.

/** How many days are kept. The ledger keeps the credits of each month without end. */
const KEPT_DAYS = 1_100;

/** Returns the day of an instant, in UTC. @example dayOf(new Date(0)) // 1970-01-01 */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Records how many slots an account has in use, after one was taken. The caller holds the lock on its slots. */
export async function recordTakenSlots(tx: Transaction, owner: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO usage_day (account_id, day, peak_slots)
    SELECT owner, ${dayOf(now)}, active FROM admission WHERE owner = ${owner} AND owner LIKE 'usr\\_%'
    ON CONFLICT (account_id, day) DO UPDATE
    SET peak_slots = greatest(usage_day.peak_slots, excluded.peak_slots)`.execute(tx.query());
}

/**
 * Records the credits of a completed forecast on the day of its reservation, so that the days of a month add up to what
 * the ledger counts for that month. The caller holds the lock on the slots of the owner.
 *
 * @param reservation the transfer that reserved the credits
 */
export async function recordSpentCredits(tx: Transaction, reservation: string): Promise<void> {
  await sql`
    INSERT INTO usage_day (account_id, day, credits)
    SELECT owner, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), amount FROM ledger_entry
    WHERE transfer = ${reservation} AND ledger_account = 'reserved' AND owner LIKE 'usr\\_%'
    ON CONFLICT (account_id, day) DO UPDATE SET credits = usage_day.credits + excluded.credits`.execute(tx.query());
}

/**
 * Records how many bytes each account stores, with the workspaces that it owns. An account whose number has not changed
 * since it was last recorded gets no row.
 */
export async function recordStoredBytes({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Promise<void> {
  const day = dayOf(clock.now());
  // The rows are written in one order, so that two processes cannot wait for each other.
  await sql`
    WITH counted AS (
      SELECT id AS account_id, id AS payer FROM account
      UNION ALL SELECT account_id, workspace_id FROM workspace_member WHERE role = 'owner'
    ), stored AS (
      SELECT account_id, coalesce(sum(bytes), 0)::bigint AS bytes
      FROM counted LEFT JOIN stored_bytes ON stored_bytes.payer = counted.payer
      GROUP BY account_id
    )
    INSERT INTO usage_day (account_id, day, bytes)
    SELECT account_id, ${day}, bytes FROM stored
    WHERE bytes <> coalesce((
      SELECT earlier.bytes FROM usage_day AS earlier
      WHERE earlier.account_id = stored.account_id AND earlier.bytes IS NOT NULL AND earlier.day <= ${day}
      ORDER BY earlier.day DESC LIMIT 1
    ), 0)
    ORDER BY account_id
    ON CONFLICT (account_id, day) DO UPDATE SET bytes = excluded.bytes`.execute(database.query());
}

/** Removes the days that are no longer kept. */
export async function removeOldUsageDays(database: Database, clock: Clock): Promise<void> {
  const oldest = dayOf(new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS));
  await database.query<ForecastTables>().deleteFrom('usage_day').where('day', '<', oldest).execute();
}
