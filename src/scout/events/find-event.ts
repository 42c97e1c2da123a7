import { type Account, allows, decide, isAdministrator } from '../../access/index.ts';
import { type Action, type EventActor, Fault } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { findMembership } from '../../workspaces/index.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

export type EventOperation = Extract<Action, 'event.read' | 'event.revise' | 'event.resolve'>;

/** Who may do what is decided by these. */
export type EventPlace = Pick<EventRow, 'id' | 'author_account_id' | 'workspace_id' | 'visibility'>;

/**
 * The event forecast with this id or slug, if the caller may do this to it. To who cannot see it, it is not there.
 */
export async function findEvent(
  executor: Executor,
  principal: Account,
  idOrSlug: string,
  operation: EventOperation,
): Promise<EventRow> {
  const row = await executor
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .executeTakeFirst();
  return allowedEvent(executor, principal, operation, row);
}

/** No workspace has an empty name. */
const NO_WORKSPACE = '';

/** The event that was found, or not, if the caller may do this to it. */
export async function allowedEvent<Row extends EventPlace>(
  executor: Executor,
  principal: Account,
  operation: EventOperation,
  row: Row | undefined,
): Promise<Row> {
  // Asked whatever there is, or is not: who looks for what is not its own must not see a difference in time either.
  const place = await findMembership(executor, principal.accountId, row?.workspace_id ?? NO_WORKSPACE);
  if (row === undefined) throw noSuchEvent();
  const isOwn = isAuthor(principal, row);
  const seesInPlace =
    row.workspace_id === null
      ? isOwn
      : place !== null && (row.visibility !== 'private' || isOwn) && allows(place, 'forecast.read', row.id);
  if (row.visibility !== 'public' && !seesInPlace) {
    throw isOwn && row.workspace_id !== null ? placeDenied() : noSuchEvent();
  }
  if (operation === 'event.read') return row;
  const isPermitted =
    row.workspace_id === null ? isOwn : decide(principal, operation, { membership: place, id: row.id }).allowed;
  if (operation === 'event.resolve') {
    // What a member leaves behind, too, must have somebody who can say how it ended.
    const isOwner = place?.role === 'owner';
    if (isAdministrator(principal) || ((isOwn || isOwner) && isPermitted)) return row;
    throw isOwn || isOwner ? placeDenied() : notYours('resolve');
  }
  if (isPermitted) return row;
  throw row.workspace_id !== null && (isOwn || seesInPlace) ? placeDenied() : notYours('revise');
}

export function isAuthor({ accountId }: Account, { author_account_id }: Pick<EventRow, 'author_account_id'>): boolean {
  return accountId === author_account_id;
}

/** As whom the caller does something that it may do. */
export function actingAs(principal: Account, row: EventPlace, operation: EventOperation): EventActor {
  if (isAuthor(principal, row)) return 'author';
  return operation === 'event.resolve' && isAdministrator(principal) ? 'administrator' : 'member';
}

function placeDenied(): Fault {
  return new Fault('WORKSPACE_DENIED', 'Your place in the workspace of this forecast does not allow this.');
}

function notYours(what: 'resolve' | 'revise'): Fault {
  const who = what === 'resolve' ? 'its author, the owner of its workspace or an administrator' : 'its author';
  return new Fault('OWNERSHIP_REQUIRED', `Only ${who} can ${what} this forecast.`);
}

export function noSuchEvent(): Fault {
  return new Fault('NOT_FOUND', 'No event forecast with this id or slug.');
}
