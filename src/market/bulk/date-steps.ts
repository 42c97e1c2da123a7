import { nextSession, previousSession } from '../../calendar/index.ts';
import type { DatesRead } from './fill-claim.ts';

/** A date to read from a provider of days by date. */
export interface DateStep {
  readonly date: number;
  /** `again`: a date that was read before, because it is settled now or because its prices must be compared. */
  readonly kind: 'first' | 'again' | 'newer' | 'older';
}

/** The dates that are wanted. */
export interface DatesWanted {
  /** The oldest and the newest session to read. */
  readonly first: number;
  readonly session: number;
  /** The latest settled session. */
  readonly settled: number;
  /** The session for which adjusted prices must have been compared. */
  readonly checkDate: number;
}

/**
 * Returns the date to read next, or null if all have been read: first a date again that is settled now, so that its
 * prices are compared before newer ones are added, then newer dates, then older ones from the newest to the oldest.
 */
export function nextDate(read: DatesRead | null, wanted: DatesWanted): DateStep | null {
  const { first, session, settled, checkDate } = wanted;
  if (read === null) return { date: session, kind: 'first' };
  const unsettled = Math.max(nextSession(read.settledTo), read.from);
  if (unsettled <= Math.min(read.to, settled)) return { date: unsettled, kind: 'again' };
  const newer = read.to < session ? nextSession(read.to) : null;
  const older = read.from > first ? previousSession(read.from) : null;
  if (newer === null && older === null) return null;
  if (read.checkedOn !== checkDate) return { date: read.to, kind: 'again' };
  return newer === null ? { date: older as number, kind: 'older' } : { date: newer, kind: 'newer' };
}

/** Returns which dates have been read after a step. */
export function datesAfter(
  read: DatesRead | null,
  { date, kind }: DateStep,
  { settled, checkDate }: DatesWanted,
): DatesRead {
  if (read === null || kind === 'first') return { from: date, to: date, settledTo: settled, checkedOn: checkDate };
  if (kind === 'older') return { ...read, from: date };
  const settledTo = date <= settled ? Math.max(read.settledTo, date) : read.settledTo;
  return kind === 'newer' ? { ...read, to: date, settledTo } : { ...read, settledTo, checkedOn: checkDate };
}

/** Returns how many dates remain to be read. */
export function countSteps(read: DatesRead | null, wanted: DatesWanted): number {
  let [dates, steps] = [read, 0];
  for (let step = nextDate(dates, wanted); step !== null; step = nextDate(dates, wanted)) {
    dates = datesAfter(dates, step, wanted);
    steps += 1;
  }
  return steps;
}
