import { sql } from 'kysely';
import { type Database, json } from '../../src/platform/index.ts';
import type { SavedFilterRules } from '../../src/screener/evaluate/filter-rules.ts';
import type { DailyMetricsTable, ScreenerTables } from '../../src/screener/tables.ts';

/** Stores the filters, ten for each account. */
export async function storeFilters(database: Database, filters: readonly SavedFilterRules[]): Promise<void> {
  const now = new Date();
  const account = { email_verified: true, password_hash: null, plan: 'pro', administrator: false };
  await sql`
    INSERT INTO account (id, email, email_verified, plan, administrator, created_at, updated_at)
    SELECT 'usr_' || n, n || '@example.com', ${account.email_verified}, ${account.plan}, false, ${now}, ${now}
    FROM generate_series(0, ${Math.ceil(filters.length / 10)}::int) AS n
  `.execute(database.query());
  for (let from = 0; from < filters.length; from += 500) {
    const rows = filters.slice(from, from + 500).map(({ id, universe, combine, conditions }, i) => ({
      id,
      account_id: `usr_${Math.floor((from + i) / 10)}`,
      name: id,
      universe: universe === 'all' ? null : [...universe],
      combine,
      conditions: json([...conditions]),
      email: false,
      created_at: now,
      updated_at: now,
    }));
    await database.query<ScreenerTables>().insertInto('screener_filter').values(rows).execute();
  }
}

/** Returns the metrics of a session, from which filters are generated. */
export async function rowsOf(database: Database, session: string): Promise<DailyMetricsTable[]> {
  const rows = database.query<ScreenerTables>().selectFrom('daily_metrics').selectAll();
  return (await rows.where('session', '=', session).orderBy('symbol').execute()) as DailyMetricsTable[];
}
