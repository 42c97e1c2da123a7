import type { CheckState } from '../../contract/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A provider that fails is asked again soon; rows that are not there come later. */
const SOONEST: Readonly<Record<CheckState, number>> = {
  waiting: MINUTE,
  missing: HOUR,
  provider_failed: 15 * MINUTE,
  denied: HOUR,
};

/** When to look again: after as long as it has been overdue so far, but within a day. */
export function nextCheck(state: CheckState, finalAt: Date, now: Date): Date {
  const overdue = now.getTime() - finalAt.getTime();
  return new Date(now.getTime() + Math.min(DAY, Math.max(SOONEST[state], overdue)));
}
