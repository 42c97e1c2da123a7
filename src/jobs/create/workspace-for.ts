import { type Account, decide, type Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { listMemberships } from '../../workspaces/index.ts';
import type { JobContext } from '../context.ts';
import type { ForecastBody } from './read-input.ts';

/** The id of the workspace that a request names by id or slug; null where it names none. */
export async function workspaceFor(
  { database }: JobContext,
  principal: Account | Guest,
  { workspace_id: named, visibility }: Pick<ForecastBody, 'workspace_id' | 'visibility'>,
): Promise<string | null> {
  if (named === undefined) {
    if (visibility !== 'workspace') return null;
    throw new Fault('INVALID_REQUEST', 'visibility: workspace needs a workspace_id.');
  }
  const places = principal.kind === 'account' ? await listMemberships(database, principal.accountId) : [];
  const place = places.find(({ id, slug }) => id === named || slug === named);
  const membership = place ? { role: place.role, ...place.resource_scope } : null;
  const decision = decide(principal, 'forecast.create', { membership });
  if (!decision.allowed || !place) {
    throw new Fault('WORKSPACE_DENIED', 'The workspace does not exist, or your place in it does not allow this.');
  }
  return place.id;
}
