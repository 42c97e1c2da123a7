import { sql } from 'kysely';
import type { Progress } from '../../engine/index.ts';
import { json, type Log } from '../../platform/index.ts';
import type { SnapshotContext } from '../../snapshots/index.ts';
import type { TakenForecast } from './take-forecast.ts';

/** Sooner than anybody looks again, and seldom enough that a forecast of many quick models is not held up by telling. */
const AT_MOST_EVERY_MS = 100;

export interface ProgressNotes {
  note(progress: Progress): void;
  /** Resolves when nothing is being written. What was not written yet is not any more: the end of a forecast says it. */
  stop(): Promise<void>;
}

/**
 * Writes down how far a forecast is: the first step at once, and then the latest from time to time. It never holds up
 * or fails the forecast: what could not be written is said again by the next step.
 */
export function progressNotes(
  { database, clock, log }: SnapshotContext & { readonly log: Log },
  forecast: TakenForecast,
): ProgressNotes {
  let latest: Progress | null = null;
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

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
      SELECT id, last_event, 'progress', ${json(data)}, ${clock.now()} FROM noted`.execute(database.query());
  };
  const writeLatest = async (): Promise<void> => {
    const progress = latest;
    latest = null;
    if (progress !== null) {
      await write(progress).catch((error) =>
        log.warn({ err: error, forecast: forecast.id }, 'progress could not be written'),
      );
    }
    writing = null;
    if (!isStopped) timer = setTimeout(next, AT_MOST_EVERY_MS);
  };
  const next = (): void => {
    timer = null;
    if (latest !== null) writing = writeLatest();
  };
  return {
    note(progress) {
      latest = progress;
      if (writing === null && timer === null && !isStopped) next();
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await writing;
    },
  };
}
