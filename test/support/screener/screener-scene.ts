import type { Database } from '../../../src/platform/index.ts';
import { listShownColumns } from '../../../src/screener/evaluate/compile-filter.ts';
import { previewFilter } from '../../../src/screener/evaluate/evaluate.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../../../src/screener/tables.ts';
import { completeRun, insertMetrics, type MetricsInput, makeFilter } from './filters.ts';

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

const storing = new WeakMap<Database, Promise<void>>();

/** Stores the metrics of three sessions, once in each database, so that several accounts of a test can share them. */
function storeSessions(database: Database): Promise<void> {
  const stored = storing.get(database) ?? insertSessions(database).finally(() => storing.delete(database));
  storing.set(database, stored);
  return stored;
}

async function insertSessions(database: Database): Promise<void> {
  // The database of an earlier test is emptied and used again, so that only its rows tell what it has.
  const last = database.query<ScreenerTables>().selectFrom('screener_run').select('session');
  if ((await last.where('session', '=', SESSIONS[2]).executeTakeFirst()) !== undefined) return;
  for (const [day, session] of SESSIONS.entries()) {
    await insertMetrics(database, session, Object.fromEntries(NAMES.map((name, i) => [name, metricsOf(i, day)])));
    await completeRun(database, session);
  }
}

/** Stores the results that the runs would have stored if the filter had been there. */
async function evaluate(database: Database, { id, universe, combine, conditions }: ScreenerFilterTable): Promise<void> {
  let before: readonly string[] = [];
  for (const session of SESSIONS) {
    const rules = { universe: universe ?? ('all' as const), combine, conditions };
    const { matches } = await previewFilter(database, session, rules, NAMES.length);
    const symbols = matches.map(({ symbol }) => symbol);
    const fresh = symbols.filter((symbol) => !before.includes(symbol));
    const shown = listShownColumns(conditions);
    await database
      .query<ScreenerTables>()
      .insertInto('screener_result')
      .values({ filter_id: id, session, symbols, new_symbols: fresh, shown })
      .execute();
    before = symbols;
  }
}

/** Gives an account two filters with results in three sessions, a third one that is newer, and emails in several states. */
export async function seedScreener(database: Database, accountId: string): Promise<ScreenerScene> {
  await storeSessions(database);
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
  for (const filter of [rising, listed]) await evaluate(database, filter);
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
