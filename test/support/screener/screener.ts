import { SCREENER_FIELDS, type ScreenerField } from '../../../src/contract/index.ts';
import { createLog, type Database } from '../../../src/platform/index.ts';
import { createFilter, type NewFilter, type OnRunCompleted } from '../../../src/screener/index.ts';
import { storeNextMatches } from '../../../src/screener/run/store-matches.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../../../src/screener/tables.ts';
import { movableClock } from '../identity/identity.ts';

/** The numbers of one symbol; what is left out is not known. */
export type Numbers = Partial<Record<ScreenerField | `previous_${ScreenerField}`, number>> & {
  readonly recent_closes?: readonly number[];
};

/** A filter that every symbol above ten matches. */
export const ABOVE_TEN: NewFilter = {
  name: 'Above ten',
  universe: 'all',
  all: [{ field: 'close', op: 'gt', value: 10 }],
  email: true,
};

export const NO_KEY = async () => Buffer.alloc(32, 7);

/** A filter of an account, as the API saves it. */
export function makeFilter(
  database: Database,
  accountId: string,
  fields: Partial<NewFilter> = {},
): Promise<ScreenerFilterTable> {
  return createFilter({ database, clock: movableClock(), cursorKey: NO_KEY }, accountId, { ...ABOVE_TEN, ...fields });
}

/** Stores the numbers of a session. */
export async function storeNumbers(
  database: Database,
  session: string,
  numbers: Readonly<Record<string, Numbers>>,
): Promise<void> {
  const unknown = Object.fromEntries(
    SCREENER_FIELDS.flatMap((field) => [
      [field, null],
      [`previous_${field}`, null],
    ]),
  );
  const rows = Object.entries(numbers).map(([symbol, { recent_closes = [], ...known }]) => ({
    session,
    symbol,
    ...unknown,
    ...known,
    recent_closes: [...recent_closes],
  })) as unknown as ScreenerTables['daily_metrics'][];
  await database.query<ScreenerTables>().insertInto('daily_metrics').values(rows).execute();
}

/** Completes the run of a session as the worker does: what every filter matches, and what follows, in one transaction. */
export async function completeRun(database: Database, session: string, follow?: OnRunCompleted): Promise<void> {
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
    await follow?.(tx, { session, isOver: false });
  });
}
