import { createMarket, type MarketProvider } from '../../../src/market/index.ts';
import { createLog } from '../../../src/platform/index.ts';
import type { OnRunCompleted, ScreenerRunContext } from '../../../src/screener/index.ts';
import type { ScreenerMatchTable, ScreenerRunTable, ScreenerTables } from '../../../src/screener/tables.ts';
import { createSnapshotExports } from '../../../src/snapshots/index.ts';
import type { TestDatabase } from '../platform/database.ts';

export interface RunScene {
  readonly context: ScreenerRunContext;
  /** Sets the time. */
  at(instant: string): void;
  /** The sessions for which something followed, in order; `… over` where a later one had closed by then. */
  readonly followed: string[];
  run(session: string): Promise<ScreenerRunTable | undefined>;
  /** As `symbol` or, where it is new, `symbol!`. */
  matches(filterId: string, session: string): Promise<string[]>;
  metrics(session: string): Promise<string[]>;
}

/** The daily run over some providers, by a clock that the test sets. */
export function runScene(
  { database }: Pick<TestDatabase, 'database'>,
  providers: readonly MarketProvider[],
  follow: OnRunCompleted = async () => {},
): RunScene {
  let now = new Date('2024-03-27T21:00:00Z');
  const clock = { now: () => now };
  const followed: string[] = [];
  const exports = createSnapshotExports({ database, clock });
  const market = createMarket({ database, clock, exports, cursorKey: async () => Buffer.alloc(32), providers });
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
        await follow(tx, run);
        followed.push(run.isOver ? `${run.session} over` : run.session);
      },
    },
    at: (instant) => {
      now = new Date(instant);
    },
    followed,
    run: (session) =>
      db.selectFrom('screener_run').selectAll().where('session', '=', session).executeTakeFirst() as Promise<
        ScreenerRunTable | undefined
      >,
    matches: async (filterId, session) => {
      const rows = (await db
        .selectFrom('screener_match')
        .selectAll()
        .where('filter_id', '=', filterId)
        .where('session', '=', session)
        .execute()) as ScreenerMatchTable[];
      return rows.map(({ symbol, is_new }) => `${symbol}${is_new ? '!' : ''}`).sort();
    },
    metrics: async (session) => {
      const rows = await db.selectFrom('daily_metrics').select('symbol').where('session', '=', session).execute();
      return rows.map(({ symbol }) => symbol).sort();
    },
  };
}
