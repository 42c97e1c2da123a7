import { DAY_MS, HOUR_MS, MINUTE_MS, periodOf } from '../../calendar/index.ts';
import type { ForecastResult } from '../../engine/index.ts';
import type { ForecastSettings } from '../tables.ts';

/** The instants of one step, in milliseconds since 1970. */
export interface StepTimes {
  /** From 1 to the horizon. */
  readonly step: number;
  readonly timestamp: number;
  /** When the value of the period can no longer change: at the end of its bar or earlier. */
  readonly knownFrom: number;
  /** The end of the bar. */
  readonly until: number;
  /** The cutoff with which the row is the last one that any provider returns. */
  readonly readUntil: number;
  /** When the value may be recorded: when the bar has ended and the settle days are over. */
  readonly finalAt: number;
}

/** Returns the instants of every step of a forecast. */
export function stepTimesOf(
  { cadence, settleDays = 0 }: Pick<ForecastSettings, 'cadence' | 'settleDays'>,
  { predictions }: Pick<ForecastResult, 'predictions'>,
): StepTimes[] {
  return predictions.map(({ timestamp }, i) => {
    const time = Date.parse(timestamp);
    const { knownFrom, until, readUntil } = periodOf(cadence, time);
    return { step: i + 1, timestamp: time, knownFrom, until, readUntil, finalAt: until + settleDays * DAY_MS };
  });
}

/** What decides which steps of a forecast existed when it was made. */
export interface MadeForecast {
  readonly settings: Pick<ForecastSettings, 'source' | 'cutoff' | 'knownUntil'>;
  readonly is_copy: boolean;
  readonly created_at: Date;
}

/**
 * Returns how many of the first steps are replayed: their periods were over when the forecast was made, so that their
 * values could be known. The values of published series appear after their periods. A forecast that read all rows of
 * such a series did not have the later ones, so that none of its steps is replayed. Rows of the caller can be of periods
 * that are not over; those after the cutoff are replayed as well.
 */
export function countReplayedSteps(steps: readonly StepTimes[], { settings, is_copy, created_at }: MadeForecast) {
  if (!is_copy && hasReadAllPublished(settings)) return 0;
  const knownUntil = settings.knownUntil === undefined ? Number.NEGATIVE_INFINITY : Date.parse(settings.knownUntil);
  const known = steps.filter(({ timestamp }) => timestamp <= knownUntil).length;
  return Math.max(known, countPastSteps(steps, created_at));
}

/**
 * Returns how many of the first steps had periods that were over when the forecast was made. These are the replayed
 * steps of forecasts of earlier versions, which could read rows of a published series that were hours old.
 */
export function countPastSteps(steps: readonly StepTimes[], createdAt: Date): number {
  const made = createdAt.getTime();
  const first = steps.findIndex(({ knownFrom }) => knownFrom > made);
  return first === -1 ? steps.length : first;
}

function hasReadAllPublished({ source, cutoff }: MadeForecast['settings']): boolean {
  if (source?.type !== 'economic_series' || cutoff !== null) return false;
  return source.vintage === undefined && source.provider !== 'bundled';
}

/** Returns whether a job reads the outcome from the source. The rows of callers are sent by a caller. */
export function isCollected({ source }: Pick<ForecastSettings, 'source'>): boolean {
  return isCollectedType(source?.type ?? 'inline');
}

/** Returns whether a job reads the outcomes of sources of this type. */
export function isCollectedType(type: string): boolean {
  return type !== 'inline' && type !== 'workspace_csv';
}

/**
 * Returns whether reading the source costs the operator money: tables of BigQuery. The outcome of such a forecast is
 * read once, when all steps are final.
 */
export function isBilled({ source }: Pick<ForecastSettings, 'source'>): boolean {
  return source?.type === 'warehouse_table' && !source.table.startsWith('local.');
}

/** Returns when the first read of an outcome is due; null if there is no step. */
export function firstReadTime(settings: Pick<ForecastSettings, 'source'>, steps: readonly StepTimes[]): number | null {
  return (isBilled(settings) ? steps.at(-1) : steps[0])?.finalAt ?? null;
}

/** How long after the last step is final its row can still arrive. */
export const MAX_DELAY_MS = 90 * DAY_MS;

const MIN_INTERVAL_MS = 5 * MINUTE_MS;
/** A forecast is checked about this many times while its steps become final, unless they are a day or more apart. */
const CHECKS_PER_FORECAST = 20;

/**
 * Returns when to read the source again, after a read that succeeded. Steps before the last recorded one are not waited
 * for. A row that is late is waited for longer and longer, up to a day.
 *
 * @param recorded the last recorded step; 0 if there is none
 */
export function nextReadTime(steps: readonly StepTimes[], recorded: number, now: number): number {
  const missing = steps.slice(recorded);
  const late = missing.find(({ finalAt }) => finalAt <= now);
  const coming = missing.find(({ finalAt }) => finalAt > now);
  return Math.min(
    late === undefined ? Number.POSITIVE_INFINITY : now + waitAfter(now - late.finalAt, HOUR_MS),
    coming === undefined ? Number.POSITIVE_INFINITY : spaceOut(steps, coming.finalAt, now),
  );
}

/** Returns when a step is read: when it is final, or up to a day later, so that steps close together are read in one go. */
function spaceOut(steps: readonly StepTimes[], finalAt: number, now: number): number {
  const span = (steps.at(-1)?.until ?? 0) - (steps[0]?.until ?? 0);
  const earliest = now + Math.max(MIN_INTERVAL_MS, span / CHECKS_PER_FORECAST);
  return Math.max(finalAt, Math.min(earliest, finalAt + DAY_MS));
}

const MIN_RETRY_MS = 15 * MINUTE_MS;

/** Returns when to read the source again after a failure of the provider. @param due when the read was due */
export function nextRetryTime(due: number, now: number): number {
  return now + waitAfter(now - due, MIN_RETRY_MS);
}

function waitAfter(overdue: number, min: number): number {
  return Math.min(DAY_MS, Math.max(min, overdue));
}
