import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';

const SECOND_MS = 1_000;

/** How attempts follow each other. Tests use shorter times. */
export interface RetryTimes {
  /** The times between attempts. */
  readonly delaysMs: readonly number[];
  /** The pause of a webhook that fails repeatedly, for each failure. */
  readonly pauseStepMs: number;
  /** The time limit of an attempt. */
  readonly timeoutMs: number;
  /** How often workers look for attempts that became due. */
  readonly pollSeconds: number;
}

export const RETRY_TIMES: RetryTimes = {
  // Together they span three days.
  delaysMs: [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    16 * HOUR_MS,
    24 * HOUR_MS,
  ],
  pauseStepMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  pollSeconds: 5,
};

/** A delivery that is older than this gets one more attempt, also during a pause, and fails if that attempt fails. */
export const MAX_AGE_MS = 3 * DAY_MS;

/** A receiver cannot postpone an attempt by more than this. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** Up to a tenth is added, so that the events of one minute do not return in one minute. */
const MAX_JITTER = 0.1;

interface FailedAttempts {
  /** The number of attempts that failed, without those that a stop of the service interrupted. */
  readonly failed: number;
  readonly now: Date;
  /** The wait that the receiver asks for, if its reply states one. */
  readonly retryAfterMs: number | null;
  /** A number from 0 to 1. */
  readonly random: number;
}

/** Returns the time of the next attempt, or null if there is none. */
export function nextAttemptTime(
  { delaysMs }: Pick<RetryTimes, 'delaysMs'>,
  { failed, now, retryAfterMs, random }: FailedAttempts,
): Date | null {
  const delay = delaysMs[failed - 1];
  if (delay === undefined) return null;
  const wait = Math.max(delay * (1 + MAX_JITTER * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return new Date(now.getTime() + Math.round(wait));
}

/** After this number of failures in a row, further attempts wait. */
const FAILURES_BEFORE_PAUSE = 3;
const MAX_PAUSE_STEPS = 30;

/** Returns the time until which no further attempt of a webhook starts, or null. */
export function pauseUntil({ pauseStepMs }: Pick<RetryTimes, 'pauseStepMs'>, failures: number, now: Date): Date | null {
  if (failures < FAILURES_BEFORE_PAUSE) return null;
  return new Date(now.getTime() + Math.min(failures, MAX_PAUSE_STEPS) * pauseStepMs);
}
