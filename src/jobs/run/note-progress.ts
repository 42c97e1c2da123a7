import { sql } from 'kysely';
import type { Progress } from '../../forecasting/index.ts';
import { json, type Log } from '../../platform/index.ts';
import type { SnapshotContext } from '../../snapshots/index.ts';
import type { JobTables } from '../tables.ts';
import type { TakenForecast } from './take-forecast.ts';

export interface ProgressNotes {
  note(progress: Progress): void;
  /** Resolves when everything noted so far is written. */
  written(): Promise<void>;
}

/**
 * Writes down how far a forecast is, one step after the other. It never holds up or fails the forecast: what could not
 * be written is said again by the next step.
 */
export function progressNotes(
  { database, clock, log }: SnapshotContext & { readonly log: Log },
  forecast: TakenForecast,
): ProgressNotes {
  let last: Promise<void> = Promise.resolve();
  const write = async (progress: Progress): Promise<void> => {
    const data = { status: 'running', progress };
    // One statement for both: a transaction of three would cost as much as the rest of a small forecast's bookkeeping.
    await sql`
      WITH noted AS (
        UPDATE forecast SET progress = ${json(progress)}, last_event = last_event + 1
        WHERE id = ${forecast.id} AND status = 'running' AND attempt = ${forecast.attempt}
        RETURNING id, last_event
      )
      INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
      SELECT id, last_event, 'progress', ${json(data)}, ${clock.now()} FROM noted`.execute(database.query<JobTables>());
  };
  return {
    note(progress) {
      last = last
        .then(() => write(progress))
        .catch((error) => log.warn({ err: error, forecast: forecast.id }, 'progress could not be written'));
    },
    written: () => last,
  };
}
