import { type Account, decide, type Guest } from '../access/index.ts';
import { Fault, type ForecastStatus } from '../contract/index.ts';
import { canonicalJson } from '../forecasting/index.ts';
import { openCursor, sealCursor } from '../platform/index.ts';
import { listMemberships } from '../workspaces/index.ts';
import type { JobContext } from './context.ts';
import type { ForecastRow } from './find-forecast.ts';
import { ownerOf } from './owner.ts';
import type { JobTables } from './tables.ts';

export interface ListRequest {
  readonly status?: ForecastStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Everything but what can be large. */
const SUMMARY = [
  'id',
  'slug',
  'status',
  'progress',
  'title',
  'visibility',
  'workspace_id',
  'settings',
  'reproduces',
  'error',
  'created_at',
  'started_at',
  'finished_at',
] as const;

export type ForecastSummary = Pick<ForecastRow, (typeof SUMMARY)[number]>;

interface Place {
  readonly createdAt: string;
  readonly id: string;
}

/** A page of the caller's own forecasts, newest first. */
export async function listForecasts(
  context: JobContext,
  principal: Account | Guest,
  { status, limit, cursor }: ListRequest,
): Promise<{ forecasts: ForecastSummary[]; nextCursor: string | null }> {
  const owner = ownerOf(principal).id;
  const readable = await readableWorkspaces(context, principal);
  const settings = canonicalJson({ owner, status: status ?? null });
  const key = await context.cursorKey();
  const after = cursor === undefined ? null : (openCursor(key, settings, cursor) as Place | null);
  if (cursor !== undefined && after === null) {
    throw new Fault('INVALID_REQUEST', 'cursor: was not made for this list. Send the same filters with it.');
  }
  const rows = await context.database
    .query<JobTables>()
    .selectFrom('forecast')
    .select(SUMMARY)
    .where('owner', '=', owner)
    // Those of a workspace are there as long as the caller may read them there.
    .where((where) =>
      where.or([
        where('workspace_id', 'is', null),
        where('visibility', '=', 'public'),
        ...(readable.length > 0 ? [where('workspace_id', 'in', readable)] : []),
      ]),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status as ForecastStatus))
    .$if(after !== null, (query) => {
      const { createdAt, id } = after as Place;
      return query.where((where) =>
        where(where.refTuple('created_at', 'id'), '<', where.tuple(new Date(createdAt), id)),
      );
    })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const forecasts = rows.slice(0, limit);
  const last = forecasts.at(-1);
  const place = rows.length > limit && last ? { createdAt: last.created_at.toISOString(), id: last.id } : null;
  return { forecasts, nextCursor: place && sealCursor(key, settings, place) };
}

async function readableWorkspaces({ database }: JobContext, principal: Account | Guest): Promise<string[]> {
  if (principal.kind === 'guest') return [];
  const places = await listMemberships(database, principal.accountId);
  const mayRead = ({ role, resource_scope }: (typeof places)[number]) =>
    decide(principal, 'forecast.list', { membership: { role, ...resource_scope } }).allowed;
  return places.filter(mayRead).map(({ id }) => id);
}
