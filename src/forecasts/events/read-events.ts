import type { Executor } from '../../platform/index.ts';
import type { ForecastEventTable, ForecastTables } from '../tables.ts';

/** Something that happened to a forecast. */
export interface ForecastEvent {
  /** Counts up from 1 within the forecast, without gaps. */
  readonly id: number;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly createdAt: Date;
}

/** The maximum number of events that are read, and held for a slow reader, at a time. */
const MAX_BATCH = 200;

/** The events of a forecast after the last one that a reader has. */
export interface EventBatch {
  readonly events: readonly ForecastEvent[];
  /** The reader has the last event of the forecast. */
  readonly isEnded: boolean;
  /** More events may be stored already. */
  readonly hasMore: boolean;
  /** The number of the reader's last event: the number it gave, or the latest of the forecast if that is lower. */
  readonly lastRead: number;
}

/** Reads the events after the one numbered `after`, in one statement. Returns null when the forecast is gone. */
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
        // Includes the reader's last event: it may be the last one of the forecast.
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
