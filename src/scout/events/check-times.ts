import { Fault } from '../../contract/index.ts';

/** By so much a caller's clock may be ahead of ours. */
const SKEW_MS = 60_000;
const MAX_YEARS = 50;

/** What was known by then went into a probability: it cannot lie ahead. @returns it, not later than now */
export function acceptCutoff(asked: string, now: Date): Date {
  const cutoff = Date.parse(asked);
  if (cutoff > now.getTime() + SKEW_MS) {
    throw new Fault('INVALID_REQUEST', 'input_cutoff_at: is in the future. Nothing can be known from then yet.');
  }
  return new Date(Math.min(cutoff, now.getTime()));
}

/** Refuses a deadline that has passed, or that nobody here will live to see. */
export function acceptDeadline(asked: string, cutoff: Date, now: Date): Date {
  const deadline = new Date(asked);
  if (deadline <= cutoff) throw new Fault('INVALID_REQUEST', 'resolution_deadline: must be after input_cutoff_at.');
  if (deadline <= now) throw new Fault('INVALID_REQUEST', 'resolution_deadline: must be in the future.');
  if (deadline > latestDeadline(now)) {
    throw new Fault('INVALID_REQUEST', `resolution_deadline: must be within ${MAX_YEARS} years.`);
  }
  return deadline;
}

export function latestDeadline(now: Date): Date {
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  return latest;
}
