import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../time-range.ts';
import {
  countSessions,
  isSession,
  nextSession,
  previousSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  sessionsBetween,
} from './sessions.ts';

const anyDay = fc
  .integer({ min: 10, max: (SESSIONS_KNOWN_TO - SESSIONS_KNOWN_FROM) / DAY_MS - 10 })
  .map((days) => SESSIONS_KNOWN_FROM + days * DAY_MS);

test('returns the first session after a date and the last one before it', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const [before, after] = [previousSession(day), nextSession(day)];
      assert.ok(before < day && day < after && isSession(before) && isSession(after));
      for (let between = before + DAY_MS; between < after; between += DAY_MS) {
        assert.equal(isSession(between), between === day && isSession(day));
      }
      assert.ok(after - before <= 8 * DAY_MS, 'the exchange never closes for more than a week');
    }),
    { numRuns: 1000, seed: 1 },
  );
});

test('lists the sessions between two dates, both included, and counts the steps from the first to the last', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 40 }), (from, days) => {
      fc.pre(from + days * DAY_MS < SESSIONS_KNOWN_TO);
      const range = Array.from({ length: days + 1 }, (_, index) => from + index * DAY_MS);
      const sessions = range.filter(isSession);
      assert.deepEqual([...sessionsBetween(from, from + days * DAY_MS)], sessions);
      const [first, last] = [sessions[0], sessions.at(-1)];
      if (first !== undefined && last !== undefined) assert.equal(countSessions(first, last), sessions.length - 1);
    }),
    { seed: 1 },
  );
});

test('has 249 to 255 sessions in every year from 2020 to 2040', () => {
  for (let year = 2020; year <= 2040; year++) {
    const { length } = sessionsBetween(Date.UTC(year, 0, 1), Date.UTC(year, 11, 31));
    assert.ok(Math.abs(length - 252) <= 3, `${year}: ${length}`);
  }
});

test('throws beyond both ends of the table', () => {
  assert.equal(nextSession(SESSIONS_KNOWN_FROM), Date.UTC(1990, 0, 2));
  assert.equal(sessionsBetween(SESSIONS_KNOWN_TO, SESSIONS_KNOWN_TO).length, 1, 'the last day is a Wednesday');
  assert.throws(() => previousSession(Date.UTC(1990, 0, 2)), RangeError);
  assert.throws(() => nextSession(SESSIONS_KNOWN_TO), RangeError);
  assert.throws(() => isSession(SESSIONS_KNOWN_FROM - DAY_MS), /known from 1990 to 2200/);
  assert.throws(() => isSession(SESSIONS_KNOWN_TO + DAY_MS), RangeError);
});

test('refuses an instant that is not 00:00 UTC', () => {
  for (const instant of [Date.UTC(2024, 0, 2, 5), Number.NaN]) assert.throws(() => isSession(instant), /00:00 UTC/);
});
