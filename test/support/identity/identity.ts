import { identityOf } from '../../../src/compose/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import type { Clock, Database } from '../../../src/platform/index.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  advance(milliseconds: number): void;
}

export function movableClock(start = '2026-03-01T09:30:00.120Z'): MovableClock {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}

/** The identity operations over a test database, wired as the service wires them, by a clock that the test moves. */
export function movableIdentity(database: Database): IdentityContext & { readonly clock: MovableClock } {
  return { ...identityOf(database), clock: movableClock() };
}

/** The same operations at another moment: for what must have been made long ago. */
export function atTime(identity: IdentityContext, moment: string): IdentityContext {
  return { ...identity, clock: movableClock(moment) };
}
