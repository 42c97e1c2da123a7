import type { Selectable } from 'kysely';
import { type Account, decide, type Guest, hasPermission, type Membership, membershipDenied } from '../access/index.ts';
import type { Action, Fault } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { findMembership } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import { deletionDenied, forecastNotFound, notMemberOfWorkspace, ownershipRequired } from './faults.ts';
import { creatorMembership, ownerOf } from './owner.ts';
import type { ForecastTable, ForecastTables } from './tables.ts';

export type ForecastRow = Selectable<ForecastTable>;

type Context = Pick<ForecastContext, 'database'>;
type ForecastAction = Extract<Action, `forecast.${string}`>;

/** The columns that determine what a caller may do. */
const ACCESS_COLUMNS = ['id', 'owner', 'workspace_id', 'visibility'] as const;
const FACT_COLUMNS = [...ACCESS_COLUMNS, 'slug', 'status', 'job_id', 'queue', 'last_event'] as const;
const ORIGINAL_COLUMNS = [
  ...ACCESS_COLUMNS,
  'title',
  'request',
  'settings',
  'snapshot_id',
  'removed_snapshot',
  'checkpoints',
  'fingerprint',
  'credits',
] as const;

export type AccessFacts = Pick<ForecastRow, (typeof ACCESS_COLUMNS)[number]>;

/** The state of a forecast, without its request and its result. */
export type ForecastFacts = Pick<ForecastRow, (typeof FACT_COLUMNS)[number]>;

/** The columns that are needed to reproduce a forecast. */
export type OriginalForecast = Pick<ForecastRow, (typeof ORIGINAL_COLUMNS)[number]>;

/**
 * Returns the forecast with this id or slug if the caller may take this action on it. A caller may act on its own
 * forecasts and on those of workspaces in which it has the permission. It may also read and reproduce public forecasts,
 * and cancel and delete private forecasts of other members in its own workspaces.
 * Otherwise, a caller that may see the forecast gets a fault with the reason; for every other caller the forecast is
 * not found.
 */
export async function findForecast(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  action: ForecastAction,
): Promise<ForecastRow> {
  const row = await selectByIdOrSlug(context, idOrSlug).selectAll().executeTakeFirst();
  return requireAccess(context.database, principal, action, row);
}

/** Returns the same forecast as `findForecast`, but without the result, which can be large. */
export async function findForecastFacts(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  action: ForecastAction,
): Promise<ForecastFacts> {
  const row = await selectByIdOrSlug(context, idOrSlug).select(FACT_COLUMNS).executeTakeFirst();
  return requireAccess(context.database, principal, action, row);
}

/** Returns a forecast that the caller may reproduce. */
export async function findOriginal(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<OriginalForecast> {
  const row = await selectByIdOrSlug(context, idOrSlug).select(ORIGINAL_COLUMNS).executeTakeFirst();
  return requireAccess(context.database, principal, 'forecast.reproduce', row);
}

/** Selects a forecast by its id or slug, without checking access. */
export function selectByIdOrSlug({ database }: Context, idOrSlug: string) {
  return database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]));
}

/** Returns a row if the caller may take the action on it. @param row undefined if there is no such forecast */
export async function requireAccess<Row extends AccessFacts>(
  executor: Executor,
  principal: Account | Guest,
  action: ForecastAction,
  row: Row | undefined,
): Promise<Row> {
  if (row && needsNoMembership(principal, action, row)) return row;
  // Read even if the forecast does not exist, because response times must not reveal which forecasts exist.
  const membership =
    principal.kind === 'account'
      ? await findMembership(executor, principal.accountId, row?.workspace_id ?? NO_WORKSPACE)
      : null;
  if (row === undefined) throw forecastNotFound();
  if (isAccessible(principal, action, row, membership)) return row;
  throw accessFault(principal, action, row, membership);
}

/** Returns whether the caller, with its membership in the workspace of the forecast, may take the action on the forecast. */
export function isAccessible(
  principal: Account | Guest,
  action: ForecastAction,
  row: AccessFacts,
  membership: Membership | null,
): boolean {
  if (needsNoMembership(principal, action, row)) return true;
  return membership !== null && isAllowedByMembership(membership, principal, action, row);
}

/** No workspace has an empty id. */
const NO_WORKSPACE = '';

/** What every caller may do with a public forecast. */
const PUBLIC_ACTIONS: readonly ForecastAction[] = ['forecast.read', 'forecast.reproduce'];

/**
 * Returns whether the action needs no membership: reading or reproducing a public forecast, or any action on the
 * caller's own forecast outside a workspace.
 */
function needsNoMembership(principal: Account | Guest, action: ForecastAction, row: AccessFacts): boolean {
  if (row.visibility === 'public' && PUBLIC_ACTIONS.includes(action)) return true;
  return row.workspace_id === null && isOwner(principal, row);
}

function isAllowedByMembership(
  membership: Membership,
  principal: Account | Guest,
  action: ForecastAction,
  row: AccessFacts,
): boolean {
  if (action === 'forecast.delete' && membership.role !== 'owner' && !isOwner(principal, row)) return false;
  if (row.visibility !== 'private') return decide(principal, action, { membership, id: row.id }).allowed;
  // The owner of the workspace pays, so it can cancel and delete what it cannot read.
  if (membership.role === 'owner' && (action === 'forecast.cancel' || action === 'forecast.delete')) {
    return decide(principal, action, { membership }).allowed;
  }
  return isOwner(principal, row) && decide(principal, action, { membership: creatorMembership(membership) }).allowed;
}

/** Returns whether a forecast is private to another caller: this caller may at most cancel it, and not read it. */
export function isPrivateToAnother(
  principal: Account | Guest,
  row: Pick<AccessFacts, 'owner' | 'visibility'>,
): boolean {
  return row.visibility === 'private' && !isOwner(principal, row);
}

/** Returns whether a forecast is the caller's own. */
export function isOwner(principal: Account | Guest, { owner }: Pick<AccessFacts, 'owner'>): boolean {
  return owner === ownerOf(principal).id;
}

/**
 * Returns the fault for a caller without access. A caller that sees the forecast, or that created it in a workspace and
 * so knows that it exists, gets the reason. For every other caller the forecast is not found.
 */
function accessFault(
  principal: Account | Guest,
  action: ForecastAction,
  row: AccessFacts,
  membership: Membership | null,
): Fault {
  const isInWorkspace = row.workspace_id !== null;
  const isCreator = isInWorkspace && principal.kind === 'account' && isOwner(principal, row);
  if (membership === null) {
    if (isCreator) return notMemberOfWorkspace();
    return row.visibility === 'public' ? ownershipRequired(isInWorkspace) : forecastNotFound();
  }
  const isVisible =
    row.visibility === 'public' ||
    (row.visibility === 'workspace' && hasPermission(membership, 'forecast.read', row.id));
  if (!isCreator && !isVisible) return forecastNotFound();
  const isForCreator = action === 'forecast.delete' && hasPermission(membership, 'forecast.cancel', row.id);
  return isForCreator ? deletionDenied() : membershipDenied(membership, action);
}
