import { sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { Clock, Database } from '../../platform/index.ts';
import type { ForecastTables } from '../tables.ts';
import { dayOf } from './charges.ts';

/** How many days are kept. The ledger keeps the credits of each month without end. */
const KEPT_DAYS = 1_100;

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
