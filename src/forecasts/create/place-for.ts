import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { type FoundMembership, requirePlace, workspaceDenied } from '../../workspaces/index.ts';
import type { JobContext } from '../context.ts';
import type { ForecastBody } from './read-input.ts';

/** The caller's place in the workspace that a request names by id or slug; null where it names none. */
export async function placeFor(
  { database }: Pick<JobContext, 'database'>,
  principal: Account | Guest,
  { workspace_id: named, visibility }: Pick<ForecastBody, 'workspace_id' | 'visibility'>,
): Promise<FoundMembership | null> {
  if (named === undefined) {
    if (visibility !== 'workspace') return null;
    throw new Fault('INVALID_REQUEST', 'visibility: workspace needs a workspace_id.');
  }
  if (principal.kind === 'guest') throw workspaceDenied();
  return requirePlace(database, principal, named, 'forecast.create');
}
