import type { Account } from '../../access/index.ts';
import { Fault, type SourceReference } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { mayObserve } from '../rules/may-observe.ts';

/**
 * The source that the questions of a forecast resolve by; null where there is none (its rows came with the request), or
 * none that this caller may read or that may be shown where the questions are: then they are resolved by hand.
 */
export async function ruleSource(
  { sources }: Pick<ScoutContext, 'sources'>,
  principal: Account,
  source: SourceReference | null,
  place: Parameters<typeof mayObserve>[1],
): Promise<SourceReference | null> {
  if (source === null || !mayObserve(source, place)) return null;
  try {
    await sources.of(source).authorize(principal, source);
    return source;
  } catch (error) {
    if (error instanceof Fault && (error.code === 'WORKSPACE_DENIED' || error.code === 'NOT_FOUND')) return null;
    throw error;
  }
}
