import { MAX_PREVIEW_MATCHES } from '../../contract/index.ts';
import type { ScreenerContext } from '../context.ts';
import { type Preview, previewFilter } from '../evaluate/evaluate.ts';
import { type RequestedRules, toFilterRules } from '../evaluate/filter-rules.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { latestSession } from '../run/stored-sessions.ts';
import { findSymbolsWithoutMetrics } from './list-matches.ts';
import { readRecentCloses } from './recent-closes.ts';

export interface LatestPreview extends Omit<Preview, 'matches'> {
  readonly matches: readonly (Preview['matches'][number] & { readonly recentCloses: readonly number[] })[];
  readonly session: SessionDate | null;
  /**
   * Symbols in the list of the filter that have no metrics in that session: its run did not cover them, or their close
   * is missing.
   */
  readonly missing: readonly string[];
}

/** Returns the matches of a filter in the latest evaluated session. */
export async function previewLatest(
  { database }: Pick<ScreenerContext, 'database'>,
  requested: RequestedRules,
): Promise<LatestPreview> {
  const session = await latestSession(database);
  const rules = toFilterRules(requested);
  if (session === null) return { session, total: 0, matches: [], missing: [] };
  const preview = await previewFilter(database, session, rules, MAX_PREVIEW_MATCHES);
  const missing = rules.universe === 'all' ? [] : await findSymbolsWithoutMetrics(database, session, rules.universe);
  const symbols = preview.matches.map(({ symbol }) => symbol);
  const closes = await readRecentCloses(database, session, symbols);
  const matches = preview.matches.map((match) => ({ ...match, recentCloses: closes.get(match.symbol) ?? [] }));
  return { session, total: preview.total, matches, missing };
}
