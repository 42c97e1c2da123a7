import type { Account, Guest } from '../access/index.ts';
import { Fault, type ForecastStatus } from '../contract/index.ts';
import { canonicalJson } from '../forecasting/index.ts';
import { openCursor, sealCursor } from '../platform/index.ts';
import type { JobContext } from './context.ts';
import type { ForecastRow } from './find-forecast.ts';
import { ownerOf } from './owner.ts';
import type { JobTables } from './tables.ts';

export interface ListRequest {
  readonly status?: ForecastStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Place {
  readonly createdAt: string;
  readonly id: string;
}

/** A page of the caller's own forecasts, newest first. */
export async function listForecasts(
  context: JobContext,
  principal: Account | Guest,
  { status, limit, cursor }: ListRequest,
): Promise<{ forecasts: ForecastRow[]; nextCursor: string | null }> {
  const owner = ownerOf(principal).id;
  const settings = canonicalJson({ owner, status: status ?? null });
  const key = await context.cursorKey();
  const after = cursor === undefined ? null : (openCursor(key, settings, cursor) as Place | null);
  if (cursor !== undefined && after === null) {
    throw new Fault('INVALID_REQUEST', 'cursor: was not made for this list. Send the same filters with it.');
  }
  const rows = await context.database
    .query<JobTables>()
    .selectFrom('forecast')
    .selectAll()
    .where('owner', '=', owner)
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
