import { MINUTE_MS } from '../../calendar/index.ts';
import { cutoffInFuture, deadlineNotAfterCutoff, deadlinePassed, deadlineTooFar } from '../faults.ts';

/** How far the caller's clock may be ahead of the clock of the service. */
const MAX_CLOCK_SKEW_MS = MINUTE_MS;
export const MAX_DEADLINE_YEARS = 50;

/** Refuses an input cutoff in the future: a probability cannot be based on information that is not available yet. */
export function acceptCutoff(requested: string, now: Date): Date {
  const cutoff = Date.parse(requested);
  if (cutoff > now.getTime() + MAX_CLOCK_SKEW_MS) throw cutoffInFuture();
  return new Date(Math.min(cutoff, now.getTime()));
}

/** Refuses a deadline that has passed or is too far ahead. */
export function acceptDeadline(requested: string, cutoff: Date, now: Date): Date {
  const deadline = new Date(requested);
  if (deadline <= cutoff) throw deadlineNotAfterCutoff();
  if (deadline <= now) throw deadlinePassed();
  if (deadline > latestDeadline(now)) throw deadlineTooFar(MAX_DEADLINE_YEARS);
  return deadline;
}

export function latestDeadline(now: Date): Date {
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_DEADLINE_YEARS);
  return latest;
}
