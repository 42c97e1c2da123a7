import { createMarket, type MarketContext, type MarketProvider } from '../../../src/market/index.ts';
import { type Clock, createLog } from '../../../src/platform/index.ts';
import type { OnRunCompleted, ScreenerRunContext } from '../../../src/screener/index.ts';
import type { ScreenerMatchTable, ScreenerRunTable, ScreenerTables } from '../../../src/screener/tables.ts';
import { createSnapshotExports } from '../../../src/snapshots/index.ts';
import type { TestDatabase } from '../platform/database.ts';
import { FIXED_KEYS } from '../platform/fixed-keys.ts';

export interface RunScene {
  readonly context: ScreenerRunContext;
  setTime(instant: string): void;
  /** The sessions whose runs completed, in order; `… past` when a later session had closed. */
  readonly completed: string[];
  readRun(session: string): Promise<ScreenerRunTable | undefined>;
  /** Returns `symbol`, or `symbol!` for a new match. */
  readMatches(filterId: string, session: string): Promise<string[]>;
  readSymbols(session: string): Promise<string[]>;
}

/**
 * Opens the daily run with some providers and a clock that the test sets.
 *
 * @param stored the parts of a market whose daily bars are read in bulk, and the clock of that market
 */
export function openRunScene(
  { database }: Pick<TestDatabase, 'database'>,
  providers: readonly MarketProvider[],
  onRunCompleted: OnRunCompleted = async () => {},
  stored: Pick<MarketContext, 'directory' | 'barStore'> & { readonly clock?: Clock } = {},
): RunScene {
  let now = new Date('2024-03-27T21:00:00Z');
  const { clock = { now: () => now }, ...parts } = stored;
  const completed: string[] = [];
  const exports = createSnapshotExports({ database, clock });
  const market = createMarket({
    database,
    clock,
    exports,
    cursorKey: FIXED_KEYS,
    providers,
    ...parts,
  });
  const db = database.query<ScreenerTables>();
  return {
    context: {
      database,
      clock,
      log: createLog('silent'),
      market,
      lagMinutes: 30,
      waitMinutes: 720,
      onRunCompleted: async (tx, run) => {
        await onRunCompleted(tx, run);
        completed.push(run.isPast ? `${run.session} past` : run.session);
      },
    },
    setTime: (instant) => {
      now = new Date(instant);
    },
    completed,
    readRun: (session) =>
      db.selectFrom('screener_run').selectAll().where('session', '=', session).executeTakeFirst() as Promise<
        ScreenerRunTable | undefined
      >,
    readMatches: async (filterId, session) => {
      const rows = (await db
        .selectFrom('screener_match')
        .selectAll()
        .where('filter_id', '=', filterId)
        .where('session', '=', session)
        .execute()) as ScreenerMatchTable[];
      return rows.map(({ symbol, is_new }) => `${symbol}${is_new ? '!' : ''}`).sort();
    },
    readSymbols: async (session) => {
      const rows = await db.selectFrom('daily_metrics').select('symbol').where('session', '=', session).execute();
      return rows.map(({ symbol }) => symbol).sort();
    },
  };
}
