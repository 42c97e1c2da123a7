import { createHash } from 'node:crypto';
import { LruCache } from '../../platform/index.ts';
import { type ScoreSummary, summarize } from '../scores/summarize.ts';

/** A summary with the number of bootstrap draws behind its intervals. */
export type BootstrapSummary = ScoreSummary & { readonly draws: number };

type Questions = Parameters<typeof summarize>[0];

/** Enough for some boards with the largest number of groups. A summary takes a few kilobytes. */
const MAX_SUMMARIES = 1_000;

const summaries = new LruCache<string, Promise<BootstrapSummary>>({ maxEntries: MAX_SUMMARIES });

/**
 * Returns the summary of questions, from memory if the same questions were summarized before, for any caller. The key is
 * everything that the summary is computed from, so a summary from memory is never out of date, and a caller gets only
 * what it could compute from the questions that it may see.
 *
 * @param beforeWork awaited before the summary is computed, so that other requests can run first
 */
export function summarizeOnce(
  questions: Questions,
  draws: number,
  beforeWork: () => Promise<unknown>,
): Promise<BootstrapSummary> {
  const key = keyOf(questions, draws);
  const known = summaries.get(key);
  if (known !== undefined) return known;
  const summary = beforeWork().then(() => ({ ...summarize(questions, { draws }), draws }));
  summaries.set(key, summary);
  // A failure is not kept: the next request tries again.
  summary.catch(() => summaries.delete(key));
  return summary;
}

function keyOf(questions: Questions, draws: number): string {
  const digest = createHash('sha256').update(`${draws}\n`);
  for (const { probability, happened, cluster } of questions) digest.update(`${probability} ${happened} ${cluster}\n`);
  return digest.digest('base64');
}
