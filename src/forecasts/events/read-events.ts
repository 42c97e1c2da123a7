import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { ForecastEventTable } from '../tables.ts';

/** An event in the life of a forecast, as event streams report it. */
export interface ForecastEvent {
  /** Counts up from 1 within the forecast, without gaps until old events of a finished forecast are removed. */
  readonly id: number;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly createdAt: Date;
}

/** Maximum number of events of one forecast that are read at a time, and therefore held in memory for a slow reader. */
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

/** What a reader has of a forecast. */
export interface ReadPosition {
  readonly forecastId: string;
  /** The number of the last event that the reader has. */
  readonly after: number;
  /** Whether an earlier read found that this is the latest event and that others follow. */
  readonly isLatest: boolean;
}

interface EventRow {
  readonly place: number;
  readonly last_event: number | null;
  readonly number: number | null;
  readonly kind: ForecastEventTable['kind'] | null;
  readonly data: object | null;
  readonly created_at: Date | null;
}

/**
 * Reads the events after each position, in one statement. The result has an entry for each position, in their order: null
 * if the forecast was removed, and undefined if nothing has happened since. A position that has the latest event costs
 * the database the lookup of one row.
 */
export async function readEventsAfter(
  executor: Executor,
  positions: readonly ReadPosition[],
): Promise<(EventBatch | null | undefined)[]> {
  const { rows } = await sql<EventRow>`
    SELECT place::int, last_event, event.number, event.kind, event.data, event.created_at
    FROM unnest(
      ${positions.map(({ forecastId }) => forecastId)}::text[],
      ${positions.map(({ after }) => after)}::int[],
      ${positions.map(({ isLatest }) => isLatest)}::boolean[]
    ) WITH ORDINALITY AS wanted(forecast_id, after, is_latest, place)
    LEFT JOIN forecast ON forecast.id = wanted.forecast_id
    LEFT JOIN LATERAL (
      -- Includes the reader's last event, which may be the last event of the forecast.
      SELECT event.number, event.kind, event.data, event.created_at FROM forecast_event AS event
      WHERE event.forecast_id = forecast.id AND number >= least(forecast.last_event, after)
        AND (NOT is_latest OR forecast.last_event <> after)
      ORDER BY number LIMIT ${MAX_BATCH + 1}
    ) AS event ON true
    WHERE forecast.id IS NULL OR forecast.last_event <> after OR event.kind IN ('completed', 'failed')
    ORDER BY place, event.number`.execute(executor.query());
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return positions.map(({ after }, index) => toBatch(after, byPlace.get(index + 1)));
}

function toBatch(after: number, rows: readonly EventRow[] | undefined): EventBatch | null | undefined {
  const [first] = rows ?? [];
  if (rows === undefined || first === undefined) return undefined;
  if (first.last_event === null) return null;
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
