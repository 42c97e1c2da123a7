import { json, type Transaction } from '../../platform/index.ts';
import type { ForecastEventTable, JobTables } from '../tables.ts';

export interface NewEvent {
  readonly forecastId: string;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly now: Date;
}

/**
 * Writes down what happened to a forecast and returns the event's number. Taking the number locks the forecast until
 * the transaction ends, so an event is never seen before one with a lower number, and a rollback leaves no hole.
 */
export async function recordEvent(tx: Transaction, { forecastId, kind, data, now }: NewEvent): Promise<number> {
  const db = tx.query<JobTables>();
  const numbered = await db
    .updateTable('forecast')
    .set((eb) => ({ last_event: eb('last_event', '+', 1) }))
    .where('id', '=', forecastId)
    .returning('last_event')
    .executeTakeFirst();
  if (!numbered) throw new Error(`There is no forecast ${forecastId} that an event could belong to.`);
  await db
    .insertInto('forecast_event')
    .values({ forecast_id: forecastId, number: numbered.last_event, kind, data: json(data), created_at: now })
    .execute();
  return numbered.last_event;
}
