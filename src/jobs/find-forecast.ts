import type { Selectable } from 'kysely';
import { type Account, decide, type Guest } from '../access/index.ts';
import { type Action, Fault } from '../contract/index.ts';
import { listMemberships } from '../workspaces/index.ts';
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

const NOT_THERE = 'No forecast with this id or slug.';

/**
 * The forecast with this id or slug, if the caller may do this to it: its own, one of a workspace in which it has the
 * permission, or, to read, a public one. Otherwise it is not there.
 */
export async function findForecast(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  action: ForecastAction,
): Promise<ForecastRow> {
  return allowed(context, principal, action, await named(context, idOrSlug).selectAll().executeTakeFirst());
}

/** The same, for those who need little of it: a result can be large. */
export async function findForecastFacts(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  action: ForecastAction,
): Promise<ForecastFacts> {
  return allowed(context, principal, action, await named(context, idOrSlug).select(FACTS).executeTakeFirst());
}

/** The same, to run it again: who may read it may. */
export async function findOriginal(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<OriginalForecast> {
  const row = await named(context, idOrSlug).select(ORIGINAL).executeTakeFirst();
  return allowed(context, principal, 'forecast.read', row);
}

/** Says nothing about who may see it. */
export function named({ database }: Context, idOrSlug: string) {
  return database
    .query<JobTables>()
    .selectFrom('forecast')
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]));
}

async function allowed<Row extends Place>(
  { database }: Context,
  principal: Account | Guest,
  action: ForecastAction,
  row: Row | undefined,
): Promise<Row> {
  if (row === undefined) throw new Fault('NOT_FOUND', NOT_THERE);
  if (action === 'forecast.read' && row.visibility === 'public') return row;
  const isOwner = row.owner === ownerOf(principal).id;
  if (row.workspace_id === null) {
    if (isOwner) return row;
    throw new Fault('NOT_FOUND', NOT_THERE);
  }
  const places = principal.kind === 'account' ? await listMemberships(database, principal.accountId) : [];
  const place = places.find(({ id }) => id === row.workspace_id);
  const membership = place ? { role: place.role, ...place.resource_scope } : null;
  const isVisible = row.visibility !== 'private' || isOwner;
  if (isVisible && decide(principal, action, { membership, id: row.id }).allowed) return row;
  // Who made it knows that it is there.
  if (isOwner) throw new Fault('WORKSPACE_DENIED', 'Your place in the workspace of this forecast does not allow this.');
  throw new Fault('NOT_FOUND', NOT_THERE);
}
