import type { SelectQueryBuilder } from 'kysely';
import { type Account, decide, type Guest, type ResourceScope } from '../access/index.ts';
import { canonicalJson, type ForecastStatus } from '../contract/index.ts';
import { type PageRequest, readNewestFirst } from '../platform/index.ts';
import { listMemberships, requireMembership } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import type { ForecastRow } from './find-forecast.ts';
import { creatorMembership, ownerOf } from './owner.ts';
import type { ForecastTables } from './tables.ts';

/** Every column except those that can be large. */
const SUMMARY_COLUMNS = [
  'id',
  'slug',
  'owner',
  'account_id',
  'status',
  'progress',
  'title',
  'visibility',
  'workspace_id',
  'settings',
  'reproduces',
  'credits',
  'error',
  'created_at',
  'started_at',
  'finished_at',
] as const;

export type ForecastSummary = Pick<ForecastRow, (typeof SUMMARY_COLUMNS)[number]>;

interface ForecastPage {
  readonly forecasts: ForecastSummary[];
  readonly nextCursor: string | null;
}

interface ListRequest extends PageRequest {
  readonly status?: ForecastStatus | undefined;
}

/**
 * Returns a page of the caller's own forecasts, newest first. A forecast in a workspace is listed only while the caller
 * may see it there.
 */
export async function listForecasts(
  context: ForecastContext,
  principal: Account | Guest,
  request: ListRequest,
): Promise<ForecastPage> {
  const owner = ownerOf(principal).id;
  const { unrestricted, restricted, selectedIds } = await readVisibleWorkspaces(context, principal);
  return readForecastPage(context, request, { owner }, (query) =>
    query
      .where('owner', '=', owner)
      .where((where) =>
        where.or([
          where('workspace_id', 'is', null),
          where('visibility', '=', 'public'),
          where('workspace_id', '=', where.fn.any(where.val(unrestricted))),
          where('id', '=', where.fn.any(where.val(selectedIds))),
          where.and([
            where('visibility', '=', 'private'),
            where('workspace_id', '=', where.fn.any(where.val(restricted))),
          ]),
        ]),
      ),
  );
}

/**
 * Returns a page of the forecasts of a workspace that the caller's membership gives access to, newest first. Private
 * forecasts are listed for their creator and for the owner of the workspace; see `viewInWorkspace`.
 */
export async function listWorkspaceForecasts(
  context: ForecastContext,
  principal: Account,
  workspaceIdOrSlug: string,
  request: ListRequest,
): Promise<ForecastPage> {
  const membership = await requireMembership(context.database, principal, workspaceIdOrSlug, 'forecast.list_shared');
  const { workspaceId, forecasts: scope } = membership;
  const owner = principal.accountId;
  return readForecastPage(context, request, { owner, workspaceId }, (query) =>
    query
      .where('workspace_id', '=', workspaceId)
      .$if(membership.role !== 'owner', (visible) =>
        visible.where((where) => where.or([where('visibility', '<>', 'private'), where('owner', '=', owner)])),
      )
      .$if(scope.mode !== 'all', (selected) =>
        selected.where((where) =>
          where.or([where('id', '=', where.fn.any(where.val(scope.ids))), where('visibility', '=', 'private')]),
        ),
      ),
  );
}

interface VisibleWorkspaces {
  /** Workspaces in which the caller sees every forecast. */
  readonly unrestricted: string[];
  /** Workspaces in which the caller sees selected forecasts and its own private ones. */
  readonly restricted: string[];
  /** The ids of the selected forecasts in the restricted workspaces. */
  readonly selectedIds: string[];
}

/** Returns the workspaces whose forecasts the caller may list, and so read. */
export async function readVisibleWorkspaces(
  { database }: ForecastContext,
  principal: Account | Guest,
): Promise<VisibleWorkspaces> {
  const memberships = principal.kind === 'account' ? await listMemberships(database, principal.accountId) : [];
  const visible = memberships.filter(
    ({ role, resource_scope }) =>
      decide(principal, 'forecast.list', { membership: creatorMembership({ role, ...resource_scope }) }).allowed,
  );
  const isUnrestricted = ({ resource_scope: { forecasts } }: { resource_scope: { forecasts: ResourceScope } }) =>
    forecasts.mode === 'all';
  const restricted = visible.filter((membership) => !isUnrestricted(membership));
  return {
    unrestricted: visible.filter(isUnrestricted).map(({ id }) => id),
    restricted: restricted.map(({ id }) => id),
    selectedIds: restricted.flatMap(({ resource_scope }) => resource_scope.forecasts.ids),
  };
}

type ForecastQuery = SelectQueryBuilder<ForecastTables, 'forecast', object>;

/**
 * Reads a page of a list of forecasts, newest first.
 *
 * @param list identifies the list: a cursor is valid only in the list that it was created for
 * @param choose restricts the query to the forecasts of the list
 */
async function readForecastPage(
  context: ForecastContext,
  { status, ...page }: ListRequest,
  list: Readonly<Record<string, string>>,
  choose: (query: ForecastQuery) => ForecastQuery,
): Promise<ForecastPage> {
  const query = choose(context.database.query<ForecastTables>().selectFrom('forecast'))
    .select(SUMMARY_COLUMNS)
    .$if(status !== undefined, (all) => all.where('status', '=', status as ForecastStatus));
  const key = await context.cursorKey();
  const settings = canonicalJson({ ...list, status: status ?? null });
  const { rows, nextCursor } = await readNewestFirst(key, settings, page, query);
  return { forecasts: rows, nextCursor };
}
