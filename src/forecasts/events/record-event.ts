import { sql } from 'kysely';
import { type Executor, json } from '../../platform/index.ts';
import type { ForecastEventTable } from '../tables.ts';

export interface NewEvent {
  readonly forecastId: string;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly now: Date;
}

/**
 * Writes down what happened to a forecast and returns the event's number. Taking the number locks the forecast until
 * the transaction ends, so an event is never seen before one with a lower number, and a rollback leaves no hole.
 *
 * One statement for both: each one costs as much as the rest of a small forecast's bookkeeping.
 */
export async function recordEvent(executor: Executor, { forecastId, kind, data, now }: NewEvent): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    WITH numbered AS (
      UPDATE forecast SET last_event = last_event + 1 WHERE id = ${forecastId} RETURNING id, last_event
    )
    INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
    SELECT id, last_event, ${kind}, ${json(data)}, ${now} FROM numbered
    RETURNING number`.execute(executor.query());
  const [written] = rows;
  if (written === undefined) throw new Error(`There is no forecast ${forecastId} that an event could belong to.`);
  return written.number;
}
