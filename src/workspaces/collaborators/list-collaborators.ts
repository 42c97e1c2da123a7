import { type Account, allows } from '../../access/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { FoundMembership } from '../find-membership.ts';
import { requirePlace } from '../place.ts';
import { asShownTo } from '../shown-scopes.ts';
import { findInvitations, findMembers } from './find-collaborators.ts';
import type { CollaboratorView } from './view-collaborator.ts';

/** Members, in the order in which they came, then the invitations that wait for an answer. */
export async function listCollaborators(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<CollaboratorView[]> {
  const { database, clock } = context;
  const place = await requirePlace(database, principal, workspaceIdOrSlug, 'members.read');
  const members = await findMembers(database, place.workspaceId);
  const invitations = await findInvitations(database, place.workspaceId, clock.now());
  const shown = await asShownTo(context, database, principal.accountId, [...members, ...invitations]);
  return shown.map((collaborator) => asSeenBy(place, collaborator));
}

/** What others may see tells of things that the caller may not: only those that are in its own scope are named. */
function asSeenBy(place: FoundMembership, collaborator: CollaboratorView): CollaboratorView {
  if (allows(place, 'members.manage')) return collaborator;
  const { csv, forecasts } = collaborator.resource_scope;
  return {
    ...collaborator,
    resource_scope: {
      csv: { ...csv, ids: csv.ids.filter((id) => allows(place, 'csv.read', id)) },
      forecasts: { ...forecasts, ids: forecasts.ids.filter((id) => allows(place, 'forecast.read', id)) },
    },
  };
}
