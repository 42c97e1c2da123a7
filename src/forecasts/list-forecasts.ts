import { type RawBuilder, sql } from 'kysely';
import { type Account, decide, type Guest, type ResourceScope } from '../access/index.ts';
import { canonicalJson, type ForecastSort, type OutcomeStatus, type SortDirection } from '../contract/index.ts';
import { type PageRequest, readNewestFirst, readSorted } from '../platform/index.ts';
import { listMemberships, requireMembership, workspaceDenied } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import type { ForecastRow } from './find-forecast.ts';
import { type ForecastCriteria, type ForecastQuery, selectMatching, splitWords } from './forecast-criteria.ts';
import { orderForecasts } from './forecast-order.ts';
import type { OutcomeMetrics } from './outcomes/score-outcome.ts';
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
  'validation_wql',
  'created_at',
  'started_at',
  'finished_at',
] as const;

type ListContext = Pick<ForecastContext, 'database' | 'cursorKey'>;

/** What a list shows of the outcome of a forecast. */
interface OutcomeSummary {
  readonly status: OutcomeStatus;
  /** Null until a row is scored. */
  readonly metrics: OutcomeMetrics | null;
}

export interface ForecastSummary extends Pick<ForecastRow, (typeof SUMMARY_COLUMNS)[number]> {
  /** Null until the forecast has completed. */
  readonly outcome: OutcomeSummary | null;
}

interface ForecastPage {
  readonly forecasts: ForecastSummary[];
  readonly nextCursor: string | null;
}

interface ListRequest extends PageRequest, ForecastCriteria {
  readonly sort: ForecastSort;
  /** Default: the latest times first, and everything else in ascending order. */
  readonly order?: SortDirection | undefined;
}

interface OwnListRequest extends ListRequest {
  /** Id or slug. */
  readonly workspace_id?: string | undefined;
}

interface WorkspaceListRequest extends ListRequest {
  /** Whether to list only the forecasts that the caller created. */
  readonly mine: boolean;
}

/**
 * Returns a page of the caller's own forecasts. A forecast in a workspace is listed only while the caller may see it
 * there.
 */
export async function listForecasts(
  context: ListContext,
  principal: Account | Guest,
  { workspace_id: requested, ...request }: OwnListRequest,
): Promise<ForecastPage> {
  const owner = ownerOf(principal).id;
  const { unrestricted, restricted, selectedIds, find } = await readVisibleWorkspaces(context, principal);
  const within = requested === undefined ? undefined : find(requested);
  const choose = (query: ForecastQuery) =>
    query
      .where('owner', '=', owner)
      .$if(within !== undefined, (all) => all.where('workspace_id', '=', within as string))
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
      );
  return readForecastPage(context, request, { keys: { owner, within }, choose, isDisclosed: sql`true` });
}

/**
 * Returns a page of the forecasts of a workspace that the caller's membership gives access to. Private forecasts are
 * listed for their creator and for the owner of the workspace; see `viewInWorkspace`.
 */
export async function listWorkspaceForecasts(
  context: ListContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { mine, ...request }: WorkspaceListRequest,
): Promise<ForecastPage> {
  const membership = await requireMembership(context.database, principal, workspaceIdOrSlug, 'forecast.list_shared');
  const { workspaceId, forecasts: scope } = membership;
  const owner = principal.accountId;
  const choose = (query: ForecastQuery) =>
    query
      .where('workspace_id', '=', workspaceId)
      .$if(mine, (all) => all.where('owner', '=', owner))
      .$if(membership.role !== 'owner', (visible) =>
        visible.where((where) => where.or([where('visibility', '<>', 'private'), where('owner', '=', owner)])),
      )
      .$if(scope.mode !== 'all', (selected) =>
        selected.where((where) =>
          where.or([where('id', '=', where.fn.any(where.val(scope.ids))), where('visibility', '=', 'private')]),
        ),
      );
  return readForecastPage(context, request, {
    keys: { owner, workspaceId, mine: mine || undefined },
    choose,
    // The owner of the workspace sees of the private forecasts of others only what they cost.
    isDisclosed: sql`(forecast.visibility <> 'private' OR forecast.owner = ${owner})`,
  });
}

interface VisibleWorkspaces {
  /** Workspaces in which the caller sees every forecast. */
  readonly unrestricted: string[];
  /** Workspaces in which the caller sees selected forecasts and its own private ones. */
  readonly restricted: string[];
  /** The ids of the selected forecasts in the restricted workspaces. */
  readonly selectedIds: string[];
  /** Returns the id of the workspace with this id or slug. Without a membership, the fault is the same for all names. */
  readonly find: (idOrSlug: string) => string;
}

/** Returns the workspaces whose forecasts the caller may list, and so read. */
export async function readVisibleWorkspaces(
  { database }: ListContext,
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
    find(idOrSlug) {
      const found = memberships.find(({ id, slug }) => id === idOrSlug || slug === idOrSlug);
      if (found === undefined) throw workspaceDenied();
      return found.id;
    },
  };
}

/** A list of forecasts. */
interface ForecastList {
  /** Identify the list: a cursor is valid only in the list that it was created for. */
  readonly keys: Readonly<Record<string, string | boolean | undefined>>;
  /** Restricts the query to the forecasts of the list. */
  readonly choose: (query: ForecastQuery) => ForecastQuery;
  /** The condition that the list shows the content of a forecast. */
  readonly isDisclosed: RawBuilder<boolean>;
}

/** Evaluated for the rows of the page only. */
const OUTCOME = sql<OutcomeSummary | null>`(
  SELECT json_build_object('status', o.status, 'metrics', o.metrics)
  FROM forecast_outcome AS o WHERE o.forecast_id = forecast.id)`;

/** Reads a page of a list of forecasts. */
async function readForecastPage(
  context: ListContext,
  { limit, cursor, sort, order, ...criteria }: ListRequest,
  { keys, choose, isDisclosed }: ForecastList,
): Promise<ForecastPage> {
  const chosen = choose(context.database.query<ForecastTables>().selectFrom('forecast'));
  const query = selectMatching(chosen, criteria, isDisclosed).select(SUMMARY_COLUMNS).select(OUTCOME.as('outcome'));
  const { q = '', status = null, source, model } = criteria;
  const by = orderForecasts(sort, order, isDisclosed);
  const isNewestFirst = sort === 'created_at' && by.direction === 'desc';
  const words = splitWords(q);
  const list = canonicalJson({
    ...keys,
    status,
    source,
    model,
    words: words.length > 0 ? words : undefined,
    sorted: isNewestFirst ? undefined : [sort, by.direction],
  });
  const secret = await context.cursorKey();
  const page = { limit, cursor };
  const { rows, nextCursor } = isNewestFirst
    ? await readNewestFirst(secret, list, page, query)
    : await readSorted(secret, list, page, query, by);
  return { forecasts: rows, nextCursor };
}
