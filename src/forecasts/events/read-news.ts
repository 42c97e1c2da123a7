import type { Executor } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';
import { type ForecastEvent, isLastKind } from './read-events.ts';

/** The most that is read, and kept for a slow reader, at a time. */
export const NEWS_LIMIT = 200;

/** Where a forecast stands for somebody who knows its events up to some number. */
export interface News {
  readonly events: readonly ForecastEvent[];
  /** There are no events now, and there will be none. */
  readonly ended: boolean;
  /** There may be more events already. */
  readonly more: boolean;
  /** What the reader knows: the number it gave, or the latest there is when that is lower. */
  readonly known: number;
}

/** One statement for all there is to know. Null: the forecast is gone. */
export async function readNews(executor: Executor, forecastId: string, after: number): Promise<News | null> {
  const rows = await executor
    .query<JobTables>()
    .selectFrom('forecast')
    .leftJoin('forecast_event', (join) =>
      join
        .onRef('forecast_event.forecast_id', '=', 'forecast.id')
        // The event that is known already comes with the others: it may have been the last one.
        .on((eb) => eb('forecast_event.number', '>=', eb.fn<number>('least', ['forecast.last_event', eb.val(after)]))),
    )
    .select(['last_event', 'number', 'kind', 'data', 'forecast_event.created_at'])
    .where('forecast.id', '=', forecastId)
    .orderBy('number')
    .limit(NEWS_LIMIT + 1)
    .execute();
  const [first] = rows;
  if (!first) return null;
  const known = Math.min(after, first.last_event);
  const events = rows.flatMap(({ number, kind, data, created_at }) =>
    number === null || number <= known || kind === null || data === null || created_at === null
      ? []
      : [{ id: number, kind, data, createdAt: created_at }],
  );
  return {
    events,
    ended: first.number === known && first.kind !== null && isLastKind(first.kind),
    more: rows.length > NEWS_LIMIT,
    known,
  };
}
