import type { SelectQueryBuilder } from 'kysely';
import { Fault, type ForecastStatus } from '../contract/index.ts';
import { canonicalJson } from '../forecasting/index.ts';
import { openCursor, sealCursor } from '../platform/index.ts';
import type { JobContext } from './context.ts';
import type { ForecastRow } from './find-forecast.ts';
import type { JobTables } from './tables.ts';

/** Everything but what can be large. */
const SUMMARY = [
  'id',
  'slug',
  'account_id',
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

export interface ForecastPage {
  readonly forecasts: ForecastSummary[];
  readonly nextCursor: string | null;
}

interface PageRequest {
  readonly status?: ForecastStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Place {
  readonly createdAt: string;
  readonly id: string;
}

type Choice = SelectQueryBuilder<JobTables, 'forecast', object>;

/**
 * A page of a list of forecasts, newest first.
 *
 * @param list whose list of what it is: a cursor leads on in the list that it was made for, and in no other
 * @param choose which forecasts are in it
 */
export async function readPage(
  context: JobContext,
  { status, limit, cursor }: PageRequest,
  list: Readonly<Record<string, string>>,
  choose: (query: Choice) => Choice,
): Promise<ForecastPage> {
  const settings = canonicalJson({ ...list, status: status ?? null });
  const key = await context.cursorKey();
  const after = cursor === undefined ? null : (openCursor(key, settings, cursor) as Place | null);
  if (cursor !== undefined && after === null) {
    throw new Fault('INVALID_REQUEST', 'cursor: was not made for this list. Send the same filters with it.');
  }
  const rows = await choose(context.database.query<JobTables>().selectFrom('forecast'))
    .select(SUMMARY)
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
