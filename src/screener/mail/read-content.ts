import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { MatchedValues } from '../evaluate/filter-rules.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { DailyMetricsTable, ScreenerTables } from '../tables.ts';
import type { ClaimedMail } from './claim-screener-mail.ts';

/** The largest number of symbols in an email that get a chart. */
const MAX_CHARTS = 20;

interface MailedMatch {
  readonly symbol: string;
  readonly isNew: boolean;
  readonly values: MatchedValues;
}

export interface MailedFilter {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly newCount: number;
  /** New matches first, then by symbol. */
  readonly matches: readonly MailedMatch[];
}

/** The content of an email. */
export interface MailContent {
  readonly session: SessionDate;
  /** The filters with emails turned on and at least one match, oldest first. */
  readonly filters: readonly MailedFilter[];
  /** The recent closes of the first symbols, by symbol, oldest first. */
  readonly closes: ReadonlyMap<string, readonly number[]>;
}

/** Reads the content of an email. Leaves out filters that were deleted or whose emails were turned off since the run. */
export async function readContent(
  executor: Executor,
  { accountId, session }: Pick<ClaimedMail, 'accountId' | 'session'>,
): Promise<MailContent> {
  const results = await readResults(executor, accountId, session);
  const shares = divideListedMatches(results.map(({ total }) => total));
  const listed = results.map((result, i) => ({ ...result, symbols: chooseListed(result, shares[i] ?? 0) }));
  const symbols = [...new Set(listed.flatMap((filter) => filter.symbols))];
  const metrics = await readMetrics(executor, session, symbols);
  const filters = listed.map(({ id, name, total, newCount, shown, symbols: chosen, new_symbols }) => ({
    id,
    name,
    total,
    newCount,
    matches: chosen.map((symbol) => ({
      symbol,
      isNew: new_symbols.includes(symbol),
      values: Object.fromEntries(shown.map((field) => [field, readNumber(metrics.get(symbol), field)])),
    })),
  }));
  const charted = symbols
    .slice(0, MAX_CHARTS)
    .map((symbol) => [symbol, metrics.get(symbol)?.recent_closes ?? []] as const);
  return { session, filters, closes: new Map(charted) };
}

interface FilterResult {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly newCount: number;
  /** The first symbols, as many as one email can list. */
  readonly symbols: readonly string[];
  readonly new_symbols: readonly string[];
  readonly shown: readonly string[];
}

async function readResults(executor: Executor, accountId: string, session: SessionDate): Promise<FilterResult[]> {
  const { rows } = await sql<FilterResult>`
    SELECT filter.id, name, shown, cardinality(symbols) AS total, cardinality(new_symbols) AS "newCount",
      symbols[1:${2 * MAX_LISTED_PER_FILTER}::int] AS symbols, new_symbols[1:${MAX_LISTED_PER_FILTER}::int] AS new_symbols
    FROM screener_filter AS filter JOIN screener_result ON filter_id = filter.id
    WHERE account_id = ${accountId} AND email AND session = ${session}::date AND cardinality(symbols) > 0
    ORDER BY created_at, filter.id
  `.execute(executor.query());
  return rows;
}

function chooseListed({ symbols, new_symbols: newSymbols }: FilterResult, count: number): string[] {
  return [...newSymbols, ...symbols.filter((symbol) => !newSymbols.includes(symbol))].slice(0, count);
}

async function readMetrics(executor: Executor, session: SessionDate, symbols: readonly string[]) {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('daily_metrics')
    .selectAll()
    .where('session', '=', session)
    .where((where) => where('symbol', '=', where.fn.any(where.val([...symbols]))))
    .execute();
  return new Map(rows.map((row) => [row.symbol, row]));
}

function readNumber(row: DailyMetricsTable | undefined, field: string): number | null {
  const value = (row as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'number' ? value : null;
}

/**
 * The largest number of matches that one email lists. Some mail programs cut off messages above 102 KB, which would hide
 * the unsubscribe link at the end.
 */
const MAX_LISTED = 100;
/**
 * The number of matches guaranteed to each filter. For all filters of an account together, it does not exceed the
 * maximum of an email.
 */
const MIN_LISTED_PER_FILTER = 10;
const MAX_LISTED_PER_FILTER = 50;

/**
 * Returns how many matches of each filter an email lists. The filters get equal shares; what a filter with few matches
 * does not use goes to the others.
 *
 * @example divideListedMatches([500, 3, 500]) // [49, 3, 48]
 */
export function divideListedMatches(totals: readonly number[]): number[] {
  const wanted = totals.map((total) => Math.min(total, MAX_LISTED_PER_FILTER));
  const shares = wanted.map((count) => Math.min(count, MIN_LISTED_PER_FILTER));
  let left = MAX_LISTED - shares.reduce((sum, share) => sum + share, 0);
  while (left > 0) {
    const [next] = shares
      .map((share, i) => ({ share, i }))
      .filter(({ share, i }) => share < (wanted[i] ?? 0))
      .sort((a, b) => a.share - b.share);
    if (next === undefined) break;
    shares[next.i] = next.share + 1;
    left--;
  }
  return shares;
}
