import { sessionHours } from '../../calendar/index.ts';

/** How many closes have not come. */
export interface WaitedFor {
  /** Of symbols that all filters may look at. */
  readonly shared: number;
  /** Of symbols that only some filter names. */
  readonly others: number;
}

export interface Waiting {
  readonly session: number;
  /** How many closes have come. */
  readonly there: number;
  readonly waitedFor: WaitedFor;
  /** After the close, at most. */
  readonly waitMinutes: number;
}

/** Of thousands of symbols some are not traded on any day: the last in a hundred are not worth a night. */
const FEW = 0.01;
const FEW_WAIT_MINUTES = 60;

/** Until when a run waits for closes. In the past: not at all. */
export function waitsUntil({ session, there, waitedFor: { shared, others }, waitMinutes }: Waiting): number {
  if (shared + others === 0) return Number.NEGATIVE_INFINITY;
  const isWorthMore = shared > FEW * (there + shared);
  const minutes = isWorthMore ? waitMinutes : Math.min(waitMinutes, FEW_WAIT_MINUTES);
  return sessionHours(session).close + minutes * 60_000;
}
