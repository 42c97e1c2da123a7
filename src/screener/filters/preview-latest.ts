import { MAX_PREVIEW_MATCHES } from '../../contract/index.ts';
import type { ScreenerContext } from '../context.ts';
import { type Preview, previewFilter } from '../evaluate/evaluate.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { withoutNumbers } from '../matches/without-numbers.ts';
import { latestSession } from '../run/latest-session.ts';
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
  const missing = rules.universe === 'all' ? [] : await withoutNumbers(database, session, rules.universe);
  return { session, ...preview, missing };
}
