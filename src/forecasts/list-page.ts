import type { SelectQueryBuilder } from 'kysely';
import type { ForecastStatus } from '../contract/index.ts';
import { canonicalJson } from '../engine/index.ts';
import { type PageRequest, readNewestFirst } from '../platform/index.ts';
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

export interface ListRequest extends PageRequest {
  readonly status?: ForecastStatus | undefined;
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
  { status, ...page }: ListRequest,
  list: Readonly<Record<string, string>>,
  choose: (query: Choice) => Choice,
): Promise<ForecastPage> {
  const query = choose(context.database.query<JobTables>().selectFrom('forecast'))
    .select(SUMMARY)
    .$if(status !== undefined, (all) => all.where('status', '=', status as ForecastStatus));
  const key = await context.cursorKey();
  const settings = canonicalJson({ ...list, status: status ?? null });
  const { rows, nextCursor } = await readNewestFirst(key, settings, page, query);
  return { forecasts: rows, nextCursor };
}
