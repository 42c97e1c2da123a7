import type { Selectable } from 'kysely';
import { type Account, allows, decide, type Guest, type Membership } from '../access/index.ts';
import { type Action, Fault } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { findMembership } from '../workspaces/index.ts';
import { asMaker } from './as-maker.ts';
import type { JobContext } from './context.ts';
import { ownerOf } from './owner.ts';
import type { ForecastTable, JobTables } from './tables.ts';

export type ForecastRow = Selectable<ForecastTable>;

type Context = Pick<JobContext, 'database'>;
type ForecastAction = Extract<Action, `forecast.${string}`>;

/** Who may do what is decided by these. */
const PLACE = ['id', 'owner', 'workspace_id', 'visibility'] as const;
const FACTS = [...PLACE, 'slug', 'status', 'job_id', 'last_event'] as const;
const ORIGINAL = [...PLACE, 'title', 'request', 'settings', 'snapshot_id', 'checkpoints', 'credits'] as const;

type Place = Pick<ForecastRow, (typeof PLACE)[number]>;

/** Where a forecast stands, without what it was asked and what it says. */
export type ForecastFacts = Pick<ForecastRow, (typeof FACTS)[number]>;

/** What it takes to run a forecast again. */
export type OriginalForecast = Pick<ForecastRow, (typeof ORIGINAL)[number]>;

/**
 * The forecast with this id or slug, if the caller may do this to it: its own, one of a workspace in which it has the
 * permission, or, to read, a public one. Who sees it and may not do this is told so; otherwise it is not there.
 */
export async function findForecast(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  action: ForecastAction,
): Promise<ForecastRow> {
  return allowed(context.database, principal, action, await named(context, idOrSlug).selectAll().executeTakeFirst());
}

/** The same, for those who need little of it: a result can be large. */
export async function findForecastFacts(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  action: ForecastAction,
): Promise<ForecastFacts> {
  return allowed(context.database, principal, action, await named(context, idOrSlug).select(FACTS).executeTakeFirst());
}

/** The same, to run it again: who may read it may. */
export async function findOriginal(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<OriginalForecast> {
  const row = await named(context, idOrSlug).select(ORIGINAL).executeTakeFirst();
  return allowed(context.database, principal, 'forecast.reproduce', row);
}

/** Says nothing about who may see it. */
export function named({ database }: Context, idOrSlug: string) {
  return database
    .query<JobTables>()
    .selectFrom('forecast')
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]));
}

/** The forecast that was found, or not, if the caller may do this to it. */
export async function allowed<Row extends Place>(
  executor: Executor,
  principal: Account | Guest,
  action: ForecastAction,
  row: Row | undefined,
): Promise<Row> {
  if (row && isFreeOfPlaces(principal, action, row)) return row;
  // Asked whatever there is, or is not: who looks for what is not its own must not see a difference in time either.
  const membership =
    principal.kind === 'account'
      ? await findMembership(executor, principal.accountId, row?.workspace_id ?? NO_WORKSPACE)
      : null;
  if (row === undefined) throw notThere();
  if (membership !== null && isAllowedIn(membership, principal, action, row)) return row;
  throw refusal(principal, row, membership);
}

/** No workspace has an empty name. */
const NO_WORKSPACE = '';

/** What everybody may do to a public forecast. */
const OF_EVERYBODY: readonly ForecastAction[] = ['forecast.read', 'forecast.reproduce'];

/** Whether it takes no place in a workspace: it is public and to be read, or the caller's own and in none. */
function isFreeOfPlaces(principal: Account | Guest, action: ForecastAction, row: Place): boolean {
  if (row.visibility === 'public' && OF_EVERYBODY.includes(action)) return true;
  return row.workspace_id === null && isMaker(principal, row);
}

function isAllowedIn(place: Membership, principal: Account | Guest, action: ForecastAction, row: Place): boolean {
  if (row.visibility !== 'private') return decide(principal, action, { membership: place, id: row.id }).allowed;
  return isMaker(principal, row) && decide(principal, action, { membership: asMaker(place) }).allowed;
}

function isMaker(principal: Account | Guest, { owner }: Pick<Place, 'owner'>): boolean {
  return owner === ownerOf(principal).id;
}

/**
 * Who sees the forecast, or made it in a workspace and so knows of it, is told why not. To everybody else it is not
 * there.
 */
function refusal(principal: Account | Guest, row: Place, place: Membership | null): Fault {
  const isOwn = row.workspace_id !== null && isMaker(principal, row);
  if (isOwn && principal.kind === 'account') return placeDenied();
  if (row.visibility === 'public') return place === null ? ownershipRequired(row) : placeDenied();
  const isSeen = row.visibility === 'workspace' && place !== null && allows(place, 'forecast.read', row.id);
  return isSeen ? placeDenied() : notThere();
}

export function placeDenied(): Fault {
  return new Fault('WORKSPACE_DENIED', 'Your place in the workspace of this forecast does not allow this.');
}

function ownershipRequired({ workspace_id }: Place): Fault {
  const others = workspace_id === null ? '' : ', and who has a place in its workspace that allows it,';
  return new Fault(
    'OWNERSHIP_REQUIRED',
    `Only who made this forecast${others} can do this. Reproduce it to have one of your own.`,
  );
}

export function notThere(): Fault {
  return new Fault('NOT_FOUND', 'No forecast with this id or slug.');
}
