import type { Progress } from '../../forecasting/index.ts';
import { json, type Log } from '../../platform/index.ts';
import type { SnapshotContext } from '../../snapshots/index.ts';
import { recordEvent } from '../events/record-event.ts';
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
  const write = (progress: Progress): Promise<void> =>
    database.transaction(async (tx) => {
      const updated = await tx
        .query<JobTables>()
        .updateTable('forecast')
        .set({ progress: json(progress) })
        .where('id', '=', forecast.id)
        .where('status', '=', 'running')
        .where('attempt', '=', forecast.attempt)
        .returning('id')
        .executeTakeFirst();
      if (updated === undefined) return;
      const data = { status: 'running', progress };
      await recordEvent(tx, { forecastId: forecast.id, kind: 'progress', data, now: clock.now() });
    });
  return {
    note(progress) {
      last = last
        .then(() => write(progress))
        .catch((error) => log.warn({ err: error, forecast: forecast.id }, 'progress could not be written'));
    },
    written: () => last,
  };
}
