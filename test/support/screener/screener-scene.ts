import type { Database } from '../../../src/platform/index.ts';
import type { ScreenerTables } from '../../../src/screener/tables.ts';
import { completeRun, deleteRuns, insertMetrics, type MetricsInput, makeFilter } from './filters.ts';

export const SESSIONS = ['2024-03-26', '2024-03-27', '2024-03-28'] as const;

/** The symbols of the scene. */
const NAMES = ['AAPL', 'AMZN', 'BRK.B', 'GOOG', 'JPM', 'KO', 'META', 'MSFT', 'NVDA', 'PEP', 'TSLA', 'XOM', '^GSPC'];

/** Returns metrics that differ by symbol and day, and are the same in every test. */
function metricsOf(i: number, day: number): MetricsInput {
  const wave = Math.sin(i * 1.7 + day * 0.9);
  const closes = Array.from({ length: 30 }, (_, t) => 40 + 25 * i + 6 * Math.sin((t + day) / 4 + i) + t * wave * 0.4);
  const close = closes.at(-1) ?? 0;
  const before = closes.at(-2) ?? 0;
  return {
    close,
    previous_close: before,
    change_pct: (100 * (close - before)) / before,
    volume: 1_000_000 * (i + 1) + 40_000 * day,
    rel_volume: 1 + wave / 2,
    sma_20: 41 + 25 * i,
    previous_sma_20: 41 + 25 * i,
    // A symbol with a short history has no average of 200 bars.
    ...(i % 5 !== 4 && { sma_200: 38 + 26 * i }),
    rsi_14: 50 + 30 * wave,
    pct_from_52w_high: -8 + 7 * wave,
    recent_closes: closes,
  };
}

export interface ScreenerScene {
  /** The ids of the filters of the account, oldest first. */
  readonly filters: readonly string[];
}

/**
 * Stores three sessions in which two filters of an account were evaluated, a third filter that is newer, and emails in
 * several states.
 */
export async function seedScreener(database: Database, accountId: string): Promise<ScreenerScene> {
  await deleteRuns(database);
  const rising = await makeFilter(database, accountId, {
    name: 'Above its average',
    all: [
      { field: 'close', op: 'gt', other_field: 'sma_20' },
      { field: 'rsi_14', op: 'between', value: [30, 80] },
    ],
  });
  const listed = await makeFilter(database, accountId, {
    name: 'My list, oversold',
    universe: ['AAPL', 'KO', 'MSFT', 'ZZZZ'],
    all: undefined,
    any: [
      { field: 'rsi_14', op: 'lt', value: 45 },
      { field: 'close', op: 'crosses_above', other_field: 'sma_20' },
    ],
    email: false,
  });
  for (const [day, session] of SESSIONS.entries()) {
    await insertMetrics(database, session, Object.fromEntries(NAMES.map((name, i) => [name, metricsOf(i, day)])));
    await completeRun(database, session);
  }
  const late = await makeFilter(database, accountId, { name: 'Saved this evening', email: false });
  await insertMails(database, accountId);
  return { filters: [rising.id, listed.id, late.id] };
}

async function insertMails(database: Database, accountId: string): Promise<void> {
  const mails = [
    { session: '2024-03-26', state: 'sent', reason: null, attempts: 1, sent: true },
    { session: '2024-03-27', state: 'over_budget', reason: 'budget_used_up', attempts: 0, sent: false },
    { session: '2024-03-28', state: 'queued', reason: 'server_away', attempts: 2, sent: false },
  ] as const;
  await database
    .query<ScreenerTables>()
    .insertInto('screener_mail')
    .values(
      mails.map(({ session, state, reason, attempts, sent }) => {
        const at = new Date(`${session}T21:00:00Z`);
        const id = `${accountId} ${session}`;
        return {
          ...{ id, account_id: accountId, session, state, reason, attempts, message_id: null },
          ...{ created_at: at, updated_at: at, sent_at: sent ? at : null },
        };
      }),
    )
    .execute();
}
