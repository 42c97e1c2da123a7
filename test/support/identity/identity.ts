import { createIdentityContext } from '../../../src/compose/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import type { Clock, Database } from '../../../src/platform/index.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

/** A clock that changes only when a test advances it. */
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

/** Returns the identity operations on a test database, wired as in the service, with a clock that the test advances. */
export function movableIdentity(database: Database): IdentityContext & { readonly clock: MovableClock } {
  const clock = movableClock();
  return { ...createIdentityContext({ database, clock }), clock };
}

/** Returns the same operations at another time, to create what must be old. */
export function atTime(identity: IdentityContext, time: string): IdentityContext {
  return { ...identity, clock: movableClock(time) };
}
