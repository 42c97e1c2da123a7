import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  countSessions,
  isSession,
  nextSession,
  previousSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  sessionsBetween,
} from './sessions.ts';

const DAY = 86_400_000;
const anyDay = fc
  .integer({ min: 10, max: (SESSIONS_KNOWN_TO - SESSIONS_KNOWN_FROM) / DAY - 10 })
  .map((days) => SESSIONS_KNOWN_FROM + days * DAY);

test('neighbours: the next session is the first after a date, the previous one the last before', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const [before, after] = [previousSession(day), nextSession(day)];
      assert.ok(before < day && day < after && isSession(before) && isSession(after));
      for (let between = before + DAY; between < after; between += DAY) {
        assert.equal(isSession(between), between === day && isSession(day));
      }
      assert.ok(after - before <= 8 * DAY, 'the exchange never closes for more than a week');
    }),
    { numRuns: 1000 },
  );
});

test('between two dates: all sessions, both ends included, counted alike', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 40 }), (from, days) => {
      fc.pre(from + days * DAY < SESSIONS_KNOWN_TO);
      const range = Array.from({ length: days + 1 }, (_, index) => from + index * DAY);
      const sessions = range.filter(isSession);
      assert.deepEqual([...sessionsBetween(from, from + days * DAY)], sessions);
      const [first, last] = [sessions[0], sessions.at(-1)];
      if (first !== undefined && last !== undefined) assert.equal(countSessions(first, last), sessions.length - 1);
    }),
  );
});

test('a year has 252 sessions, give or take three, until 2040', () => {
  for (let year = 2020; year <= 2040; year++) {
    const { length } = sessionsBetween(Date.UTC(year, 0, 1), Date.UTC(year, 11, 31));
    assert.ok(Math.abs(length - 252) <= 3, `${year}: ${length}`);
  }
});

test('the table has ends, and says so', () => {
  assert.equal(nextSession(SESSIONS_KNOWN_FROM), Date.UTC(1990, 0, 2));
  assert.equal(sessionsBetween(SESSIONS_KNOWN_TO, SESSIONS_KNOWN_TO).length, 1, 'the last day is a Wednesday');
  assert.throws(() => previousSession(Date.UTC(1990, 0, 2)), RangeError);
  assert.throws(() => nextSession(SESSIONS_KNOWN_TO), RangeError);
  assert.throws(() => isSession(SESSIONS_KNOWN_FROM - DAY), /known from 1990 to 2200/);
  assert.throws(() => isSession(SESSIONS_KNOWN_TO + DAY), RangeError);
});

test('a date is 00:00 UTC: an instant is refused rather than taken for some day', () => {
  for (const instant of [Date.UTC(2024, 0, 2, 5), Number.NaN]) assert.throws(() => isSession(instant), /00:00 UTC/);
});
