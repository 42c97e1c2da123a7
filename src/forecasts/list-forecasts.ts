import { type Account, decide, type Guest, type ResourceScope } from '../access/index.ts';
import { listMemberships, requirePlace } from '../workspaces/index.ts';
import { asMaker } from './as-maker.ts';
import type { JobContext } from './context.ts';
import { type ForecastPage, type ListRequest, readPage } from './list-page.ts';
import { ownerOf } from './owner.ts';

/** A page of the caller's own forecasts, newest first. Those of workspaces are there as long as it may see them there. */
export async function listForecasts(
  context: JobContext,
  principal: Account | Guest,
  request: ListRequest,
): Promise<ForecastPage> {
  const owner = ownerOf(principal).id;
  const { whole, listed, selected } = await visibleParts(context, principal);
  return readPage(context, request, { owner }, (query) =>
    query
      .where('owner', '=', owner)
      .where((where) =>
        where.or([
          where('workspace_id', 'is', null),
          where('visibility', '=', 'public'),
          where('workspace_id', '=', where.fn.any(where.val(whole))),
          where('id', '=', where.fn.any(where.val(selected))),
          where.and([where('visibility', '=', 'private'), where('workspace_id', '=', where.fn.any(where.val(listed)))]),
        ]),
      ),
  );
}

/** A page of the forecasts of a workspace that the caller's place lets it see, newest first; private ones are their maker's. */
export async function listWorkspaceForecasts(
  context: JobContext,
  principal: Account,
  workspaceIdOrSlug: string,
  request: ListRequest,
): Promise<ForecastPage> {
  const place = await requirePlace(context.database, principal, workspaceIdOrSlug, 'forecast.list_shared');
  const { workspaceId, forecasts: scope } = place;
  const owner = principal.accountId;
  return readPage(context, request, { owner, workspaceId }, (query) =>
    query
      .where('workspace_id', '=', workspaceId)
      .where((where) => where.or([where('visibility', '<>', 'private'), where('owner', '=', owner)]))
      .$if(scope.mode !== 'all', (one) =>
        one.where((where) =>
          where.or([where('id', '=', where.fn.any(where.val(scope.ids))), where('visibility', '=', 'private')]),
        ),
      ),
  );
}

interface VisibleParts {
  /** Workspaces of which all can be seen. */
  readonly whole: string[];
  /** Workspaces of which a list can be seen, and what is private to the caller. */
  readonly listed: string[];
  /** What is in those lists. */
  readonly selected: string[];
}

async function visibleParts({ database }: JobContext, principal: Account | Guest): Promise<VisibleParts> {
  const places = principal.kind === 'account' ? await listMemberships(database, principal.accountId) : [];
  const open = places.filter(
    ({ role, resource_scope }) =>
      decide(principal, 'forecast.list', { membership: asMaker({ role, ...resource_scope }) }).allowed,
  );
  const isWhole = ({ resource_scope: { forecasts } }: { resource_scope: { forecasts: ResourceScope } }) =>
    forecasts.mode === 'all';
  const bounded = open.filter((place) => !isWhole(place));
  return {
    whole: open.filter(isWhole).map(({ id }) => id),
    listed: bounded.map(({ id }) => id),
    selected: bounded.flatMap(({ resource_scope }) => resource_scope.forecasts.ids),
  };
}
