import { type Account, decide, type Guest } from '../access/index.ts';
import type { Visibility } from '../contract/index.ts';
import { type FoundMembership, findMembership } from '../workspaces/index.ts';
import { asMaker } from './as-maker.ts';
import type { JobContext } from './context.ts';
import { type OriginalForecast, placeDenied } from './find-forecast.ts';
import { ownerOf } from './owner.ts';

/** Where a forecast that is run again belongs, and who may see it there. */
export interface PlaceOfCopy {
  /** The caller's place in the workspace; null: it is in none. */
  readonly place: FoundMembership | null;
  readonly visibility: Visibility;
}

/**
 * A forecast of a workspace is run again in that workspace, by who may create there. A public one is everybody's to run
 * again: who may not create where it is gets a private one of its own.
 */
export async function placeOfCopy(
  { database }: Pick<JobContext, 'database'>,
  principal: Account | Guest,
  { owner, workspace_id: workspaceId, visibility }: OriginalForecast,
): Promise<PlaceOfCopy> {
  if (workspaceId === null) {
    return { place: null, visibility: owner === ownerOf(principal).id ? visibility : 'private' };
  }
  const place = principal.kind === 'account' ? await findMembership(database, principal.accountId, workspaceId) : null;
  // A private one that the caller may run again is its own.
  const membership = place && visibility === 'private' ? asMaker(place) : place;
  if (decide(principal, 'forecast.create', { membership }).allowed) return { place, visibility };
  if (visibility === 'public') return { place: null, visibility: 'private' };
  throw placeDenied();
}
