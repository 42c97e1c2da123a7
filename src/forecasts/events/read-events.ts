import type { Executor } from '../../platform/index.ts';
import type { ForecastEventTable, ForecastTables } from '../tables.ts';

/** An event in the life of a forecast, as event streams report it. */
export interface ForecastEvent {
  /** Counts up from 1 within the forecast, without gaps until old events of a finished forecast are removed. */
  readonly id: number;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly createdAt: Date;
}

/** Maximum number of events that are read at a time, and therefore held in memory for a slow reader. */
const MAX_BATCH = 200;

/** Events of a forecast after the last one that a reader has. */
export interface EventBatch {
  readonly events: readonly ForecastEvent[];
  /** Whether the last event of the forecast is one of these events or the one that the reader already had. */
  readonly isEnded: boolean;
  /** Whether more events may already be stored. */
  readonly hasMore: boolean;
  /**
   * The number of the last event that the reader had: the number that it gave or the number of the forecast's latest
   * event, whichever is lower.
   */
  readonly lastRead: number;
}

/** Reads the events after the one numbered `after`, in one statement. Returns null if the forecast was removed. */
export async function readEventsAfter(
  executor: Executor,
  forecastId: string,
  after: number,
): Promise<EventBatch | null> {
  const rows = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .leftJoin('forecast_event', (join) =>
      join
        .onRef('forecast_event.forecast_id', '=', 'forecast.id')
        // Includes the reader's last event, which may be the last event of the forecast.
        .on((eb) => eb('forecast_event.number', '>=', eb.fn<number>('least', ['forecast.last_event', eb.val(after)]))),
    )
    .select(['last_event', 'number', 'kind', 'data', 'forecast_event.created_at'])
    .where('forecast.id', '=', forecastId)
    .orderBy('number')
    .limit(MAX_BATCH + 1)
    .execute();
  const [first] = rows;
  if (!first) return null;
  const lastRead = Math.min(after, first.last_event);
  const events = rows.flatMap(({ number, kind, data, created_at }) =>
    number === null || number <= lastRead || kind === null || data === null || created_at === null
      ? []
      : [{ id: number, kind, data, createdAt: created_at }],
  );
  return {
    events,
    isEnded: first.number === lastRead && first.kind !== null && isLastKind(first.kind),
    hasMore: rows.length > MAX_BATCH,
    lastRead,
  };
}

/** Returns whether no event follows one of this kind. */
export function isLastKind(kind: ForecastEventTable['kind']): boolean {
  return kind === 'completed' || kind === 'failed';
}
