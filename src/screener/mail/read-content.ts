import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { MatchedValues } from '../evaluate/rules.ts';
import type { DailyMetricsTable, ScreenerTables } from '../tables.ts';
import type { ClaimedMail } from './claim-mail.ts';
import { MAX_LISTED, shareList } from './share-list.ts';

/** Symbols of a mail with a chart. */
const CHARTS = 20;

export interface MailedMatch {
  readonly symbol: string;
  readonly isNew: boolean;
  readonly values: MatchedValues;
}

export interface MailedFilter {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly fresh: number;
  /** New ones first, each by symbol. */
  readonly matches: readonly MailedMatch[];
}

/** What a mail tells. */
export interface MailContent {
  readonly session: SessionDate;
  /** Those that want mails and matched something, oldest first. */
  readonly filters: readonly MailedFilter[];
  /** The last closes of the first symbols, oldest first. */
  readonly closes: ReadonlyMap<string, readonly number[]>;
}

/** Read when the mail is sent: what was deleted or turned off until then is not in it. */
export async function readContent(
  executor: Executor,
  { accountId, session }: Pick<ClaimedMail, 'accountId' | 'session'>,
): Promise<MailContent> {
  const results = await readResults(executor, accountId, session);
  const shares = shareList(results.map(({ total }) => total));
  const listed = results.map((result, place) => ({ ...result, symbols: listedSymbols(result, shares[place] ?? 0) }));
  const symbols = [...new Set(listed.flatMap((filter) => filter.symbols))];
  const numbers = await readNumbers(executor, session, symbols);
  const filters = listed.map(({ id, name, total, fresh, shown, symbols: chosen, new_symbols }) => ({
    id,
    name,
    total,
    fresh,
    matches: chosen.map((symbol) => ({
      symbol,
      isNew: new_symbols.includes(symbol),
      values: Object.fromEntries(shown.map((field) => [field, numberOf(numbers.get(symbol), field)])),
    })),
  }));
  const charted = symbols.slice(0, CHARTS).map((symbol) => [symbol, numbers.get(symbol)?.recent_closes ?? []] as const);
  return { session, filters, closes: new Map(charted) };
}

interface Result {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly fresh: number;
  /** The first ones, as many as can matter. */
  readonly symbols: readonly string[];
  readonly new_symbols: readonly string[];
  readonly shown: readonly string[];
}

async function readResults(executor: Executor, accountId: string, session: SessionDate): Promise<Result[]> {
  const { rows } = await sql<Result>`
    SELECT filter.id, name, shown, cardinality(symbols) AS total, cardinality(new_symbols) AS fresh,
      symbols[1:${2 * MAX_LISTED}::int] AS symbols, new_symbols[1:${MAX_LISTED}::int] AS new_symbols
    FROM screener_filter AS filter JOIN screener_result ON filter_id = filter.id
    WHERE account_id = ${accountId} AND email AND session = ${session}::date AND cardinality(symbols) > 0
    ORDER BY created_at, filter.id
  `.execute(executor.query());
  return rows;
}

function listedSymbols({ symbols, new_symbols: fresh }: Result, count: number): string[] {
  return [...fresh, ...symbols.filter((symbol) => !fresh.includes(symbol))].slice(0, count);
}

async function readNumbers(executor: Executor, session: SessionDate, symbols: readonly string[]) {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('daily_metrics')
    .selectAll()
    .where('session', '=', session)
    .where((where) => where('symbol', '=', where.fn.any(where.val([...symbols]))))
    .execute();
  return new Map(rows.map((row) => [row.symbol, row]));
}

function numberOf(row: DailyMetricsTable | undefined, field: string): number | null {
  const value = (row as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'number' ? value : null;
}
