import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cadence } from './cadence.ts';
import { barEnd, countCompleted, isCompleted } from './completed-bars.ts';
import { HOUR_MS } from './time-range.ts';

// Each case: the cadence, the bar's timestamp, and the first instant at which the bar is complete.
const CASES: [Cadence, string, string][] = [
  [{ frequency: '5min', kind: 'plain' }, '2024-01-02T14:30Z', '2024-01-02T14:35Z'],
  [{ frequency: '4h', kind: 'exchange', hours: 'regular' }, '2024-01-02T20:00Z', '2024-01-03T00:00Z'],
  [{ frequency: '1D', kind: 'plain' }, '2024-01-02T00:00Z', '2024-01-03T00:00Z'],
  [{ frequency: '1D', kind: 'exchange' }, '2024-01-02T00:00Z', '2024-01-02T21:00Z'],
  [{ frequency: '1D', kind: 'exchange' }, '2024-07-02T00:00Z', '2024-07-02T20:00Z'],
  [{ frequency: '1D', kind: 'exchange' }, '2024-07-03T00:00Z', '2024-07-03T17:00Z'],
  [{ frequency: '1D', kind: 'exchange', hours: 'extended' }, '2024-01-02T00:00Z', '2024-01-03T01:00Z'],
  [{ frequency: '1D', kind: 'exchange' }, '2024-01-06T00:00Z', '2024-01-07T00:00Z'], // no session
  [{ frequency: '1D', kind: 'exchange' }, '1985-01-02T00:00Z', '1985-01-03T00:00Z'], // before the table
  [{ frequency: '1W-MON', kind: 'plain' }, '2024-01-01T00:00Z', '2024-01-08T00:00Z'],
  [{ frequency: '1W-MON', kind: 'exchange', hours: 'extended' }, '2024-01-01T00:00Z', '2024-01-08T00:00Z'],
  [{ frequency: '1MS', kind: 'exchange' }, '2024-01-01T00:00Z', '2024-02-01T00:00Z'],
  [{ frequency: '1MS', kind: 'exchange', hours: 'extended' }, '2024-01-01T00:00Z', '2024-02-01T01:00Z'],
  [{ frequency: '1ME', kind: 'plain' }, '2024-02-29T00:00Z', '2024-03-01T00:00Z'],
  [{ frequency: '1QE', kind: 'plain' }, '2024-03-31T00:00Z', '2024-04-01T00:00Z'],
  [{ frequency: '1YE', kind: 'plain' }, '2024-12-31T00:00Z', '2025-01-01T00:00Z'],
  [{ frequency: '1YE', kind: 'exchange' }, '2200-12-31T00:00Z', '2201-01-01T00:00Z'],
];

test('completes a bar at its end and not a millisecond before', () => {
  for (const [cadence, start, end] of CASES) {
    const name = `${JSON.stringify(cadence)} ${start}`;
    const instant = Date.parse(end);
    assert.equal(barEnd(cadence, Date.parse(start)), instant, name);
    assert.equal(isCompleted(cadence, Date.parse(start), instant), true, name);
    assert.equal(isCompleted(cadence, Date.parse(start), instant - 1), false, name);
  }
});

test('counts the completed ones of ordered timestamps', () => {
  const cadence = { frequency: '1D', kind: 'plain' } as const;
  const days = Array.from({ length: 10 }, (_, day) => Date.UTC(2024, 0, 1 + day));
  for (let at = Date.UTC(2023, 11, 31); at < Date.UTC(2024, 0, 13); at += HOUR_MS * 6) {
    assert.equal(countCompleted(cadence, days, at), days.filter((day) => isCompleted(cadence, day, at)).length);
  }
  assert.equal(countCompleted(cadence, [], 0), 0);
  assert.equal(countCompleted(cadence, days, Number.POSITIVE_INFINITY), 10);
});
