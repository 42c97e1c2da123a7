import { sql } from 'kysely';
import { createLog, type Database } from '../../../src/platform/index.ts';
import { createFilter, type NewFilter, type OnRunCompleted } from '../../../src/screener/index.ts';
import { storeNextMatches } from '../../../src/screener/run/store-matches.ts';
import { METRIC_COLUMNS, type ScreenerFilterTable, type ScreenerTables } from '../../../src/screener/tables.ts';
import { movableClock } from '../identity/identity.ts';
import { FIXED_KEYS } from '../platform/fixed-keys.ts';

/** The metrics of one symbol. Omitted ones are null. */
export type MetricsInput = Partial<Record<(typeof METRIC_COLUMNS)[number], number>> & {
  readonly recent_closes?: readonly number[];
};

/** A filter that matches every symbol with a close above ten. */
export const ABOVE_TEN: NewFilter = {
  name: 'Above ten',
  universe: 'all',
  all: [{ field: 'close', op: 'gt', value: 10 }],
  email: true,
};

export const TEST_CURSOR_KEY = FIXED_KEYS;

/** Saves a filter as the API does. */
export function makeFilter(
  database: Database,
  accountId: string,
  fields: Partial<NewFilter> = {},
): Promise<ScreenerFilterTable> {
  return createFilter({ database, clock: movableClock(), cursorKey: TEST_CURSOR_KEY }, accountId, {
    ...ABOVE_TEN,
    ...fields,
  });
}

/** Stores metrics of a session. */
export async function insertMetrics(
  database: Database,
  session: string,
  metrics: Readonly<Record<string, MetricsInput>>,
): Promise<void> {
  const noMetrics = Object.fromEntries(METRIC_COLUMNS.map((name) => [name, null]));
  const rows = Object.entries(metrics).map(([symbol, { recent_closes = [], ...given }]) => ({
    session,
    symbol,
    ...noMetrics,
    ...given,
    recent_closes: [...recent_closes],
  })) as unknown as ScreenerTables['daily_metrics'][];
  await database.query<ScreenerTables>().insertInto('daily_metrics').values(rows).execute();
}

/** Removes all runs with their metrics and results, so that a test does not depend on those of others. */
export async function deleteRuns(database: Database): Promise<void> {
  for (const table of ['screener_result', 'daily_metrics', 'screener_run']) {
    await sql`DELETE FROM ${sql.table(table)}`.execute(database.query());
  }
}

/** Completes the run of a session in one transaction: stores the matches of every filter and calls `onRunCompleted`. */
export async function completeRun(database: Database, session: string, onRunCompleted?: OnRunCompleted): Promise<void> {
  await database.transaction(async (tx) => {
    let after: string | null = '';
    while (after !== null) after = await storeNextMatches(tx, session, after, createLog('silent'));
    const now = new Date();
    await tx
      .query<ScreenerTables>()
      .insertInto('screener_run')
      .values({
        session,
        state: 'completed',
        claim: null,
        claimed_until: null,
        checked_at: now,
        completed_at: now,
        symbols: 0,
        missing: [],
        providers: ['test'],
      })
      .execute();
    await onRunCompleted?.(tx, { session, isPast: false });
  });
}
