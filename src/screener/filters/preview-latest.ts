import { MAX_NAMED_MISSING, MAX_PREVIEW_MATCHES } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import { type Preview, previewFilter, type SessionDate } from '../evaluate/index.ts';
import { latestSession } from '../run/latest-session.ts';
import type { ScreenerTables } from '../tables.ts';
import { rulesOf, type SentRules } from './rules-of.ts';

export interface LatestPreview extends Preview {
  readonly session: SessionDate | null;
  /** Symbols of the filter's list without numbers in that session: nobody looks at them yet, or their close is missing. */
  readonly missing: readonly string[];
}

/** What a filter would match in the latest session that was looked at. */
export async function previewLatest(
  { database }: Pick<ScreenerContext, 'database'>,
  sent: SentRules,
): Promise<LatestPreview> {
  const session = await latestSession(database);
  const rules = rulesOf(sent);
  if (session === null) return { session, total: 0, matches: [], missing: [] };
  const preview = await previewFilter(database, session, rules, MAX_PREVIEW_MATCHES);
  return { session, ...preview, missing: await withoutNumbers(database, session, rules.universe) };
}

async function withoutNumbers(
  executor: Executor,
  session: SessionDate,
  universe: 'all' | readonly string[],
): Promise<string[]> {
  if (universe === 'all') return [];
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('daily_metrics')
    .select('symbol')
    .where('session', '=', session)
    .where((where) => where('symbol', '=', where.fn.any(where.val([...universe]))))
    .execute();
  const known = new Set(rows.map(({ symbol }) => symbol));
  return universe.filter((symbol) => !known.has(symbol)).slice(0, MAX_NAMED_MISSING);
}
