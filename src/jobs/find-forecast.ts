import type { Selectable } from 'kysely';
import { type Account, decide, type Guest } from '../access/index.ts';
import { type Action, Fault } from '../contract/index.ts';
import { listMemberships } from '../workspaces/index.ts';
import type { JobContext } from './context.ts';
import { ownerOf } from './owner.ts';
import type { ForecastTable, JobTables } from './tables.ts';

export type ForecastRow = Selectable<ForecastTable>;

const NOT_THERE = 'No forecast with this id or slug.';

/**
 * The forecast with this id or slug, if the caller may do this to it: its own, one of a workspace in which it has the
 * permission, or, to read, a public one. Otherwise it is not there.
 */
export async function findForecast(
  context: Pick<JobContext, 'database'>,
  principal: Account | Guest,
  idOrSlug: string,
  action: Extract<Action, `forecast.${string}`>,
): Promise<ForecastRow> {
  const row = await context.database
    .query<JobTables>()
    .selectFrom('forecast')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .executeTakeFirst();
  if (row === undefined) throw new Fault('NOT_FOUND', NOT_THERE);
  if (action === 'forecast.read' && row.visibility === 'public') return row;
  const isOwner = row.owner === ownerOf(principal).id;
  if (row.workspace_id === null) {
    if (isOwner) return row;
    throw new Fault('NOT_FOUND', NOT_THERE);
  }
  const places = principal.kind === 'account' ? await listMemberships(context.database, principal.accountId) : [];
  const place = places.find(({ id }) => id === row.workspace_id);
  const membership = place ? { role: place.role, ...place.resource_scope } : null;
  const isVisible = row.visibility !== 'private' || isOwner;
  if (isVisible && decide(principal, action, { membership, id: row.id }).allowed) return row;
  // Who made it knows that it is there.
  if (isOwner) throw new Fault('WORKSPACE_DENIED', 'Your place in the workspace of this forecast does not allow this.');
  throw new Fault('NOT_FOUND', NOT_THERE);
}
