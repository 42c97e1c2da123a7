import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastBarBefore, sessionDateOf } from './bar-range.ts';

test('returns the session date of midnight in New York only, in both seasons', () => {
  assert.equal(sessionDateOf(Date.UTC(2024, 0, 2, 5)), Date.UTC(2024, 0, 2));
  assert.equal(sessionDateOf(Date.UTC(2024, 6, 2, 4)), Date.UTC(2024, 6, 2));
  assert.equal(sessionDateOf(Date.UTC(2024, 2, 10, 5)), Date.UTC(2024, 2, 10), 'the clocks change at 2:00');
  assert.equal(sessionDateOf(Date.UTC(2024, 10, 4, 5)), Date.UTC(2024, 10, 4), 'the clocks have changed');
  for (const instant of [
    Date.UTC(2024, 0, 2, 4),
    Date.UTC(2024, 6, 2, 5),
    Date.UTC(2024, 0, 2),
    Date.UTC(2024, 0, 2, 5) + 1,
    Date.UTC(1980, 0, 2, 5),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e20,
  ]) {
    assert.ok(Number.isNaN(sessionDateOf(instant)), String(instant));
  }
});

test('returns the last bar that ended a number of minutes ago', () => {
  const close = Date.UTC(2024, 10, 29, 18);
  const day = (now: number, delay = 16) => new Date(lastBarBefore('1D', now, delay)).toISOString().slice(0, 10);
  assert.equal(day(close + 15 * 60_000), '2024-11-28', 'a half day that ended 15 minutes ago');
  assert.equal(day(close + 16 * 60_000), '2024-11-29');
  assert.equal(day(Date.UTC(2024, 10, 30, 12)), '2024-11-30', 'on a Saturday nothing is missing');
  assert.equal(lastBarBefore('30min', close, 16), Date.UTC(2024, 10, 29, 17));
  assert.equal(lastBarBefore('1min', close, 16), close - 17 * 60_000);
});
