import { sql } from 'kysely';
import { findExpiredGuests, removeGuests } from '../../identity/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { ForecastContext } from '../context.ts';
import { removeForecasts } from '../remove-forecasts.ts';
import type { ForecastTables } from '../tables.ts';

type Context = Pick<ForecastContext, 'database' | 'clock' | 'queue'>;

/** The guests of one transaction, and the forecasts. It blocks every other statement of the embedded database. */
const GUEST_BATCH = 100;
const FORECAST_BATCH = 200;

/** Removes guests whose session has expired, with their forecasts and charges. Forecasts that accounts have saved stay. */
export async function removeExpiredGuests(context: Context): Promise<void> {
  for (;;) {
    const guests = await findExpiredGuests(context, GUEST_BATCH);
    if (guests.length === 0) break;
    while (!(await context.database.transaction((tx) => removeBatch(context, tx, guests))));
  }
  await removeIdleNetworks(context);
}

/** Removes some of the guests' forecasts. Returns whether none is left; then the guests are removed. */
async function removeBatch({ queue, clock }: Context, tx: Transaction, guests: readonly string[]): Promise<boolean> {
  const ids = [...guests];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM forecast WHERE guest_id = ANY (${ids}::text[]) LIMIT ${FORECAST_BATCH}`.execute(tx.query());
  const isOfGuest = sql<boolean>`id = ANY (${rows.map(({ id }) => id)}::text[]) AND guest_id = ANY (${ids}::text[])`;
  await removeForecasts({ queue }, tx, isOfGuest, clock.now());
  if (rows.length === FORECAST_BATCH) return false;
  // The ledger keeps the charges of forecasts that accounts have saved.
  await sql`
    DELETE FROM ledger_entry WHERE owner = ANY (${ids}::text[])
      AND NOT EXISTS (SELECT 1 FROM forecast WHERE forecast.id = forecast_id)`.execute(tx.query());
  const db = tx.query<ForecastTables>();
  await db.deleteFrom('admission').where('owner', 'in', ids).where('active', '=', 0).execute();
  await removeGuests(tx, guests);
  return true;
}

/** Removes the counts of networks that use no slot. The next forecast of the network creates its count again. */
async function removeIdleNetworks({ database }: Context): Promise<void> {
  await sql`DELETE FROM admission WHERE active = 0 AND owner LIKE 'network:%'`.execute(database.query());
}
