import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestClosedSession, MINUTE_MS } from '../../calendar/index.ts';
import { formatSession, parseSession } from './session-dates.ts';

const LAG_MINUTES = 30;

const CASES: readonly [now: string, session: string, reason: string][] = [
  ['2024-03-27T20:29:59.999Z', '2024-03-26', 'the close is not half an hour old'],
  ['2024-03-27T20:30:00.000Z', '2024-03-27', 'the close is half an hour old'],
  ['2024-03-30T12:00:00Z', '2024-03-28', 'a Saturday after Good Friday'],
  ['2024-03-08T21:29:00Z', '2024-03-07', 'winter: the close is at 21:00Z'],
  ['2024-03-08T21:30:00Z', '2024-03-08', 'winter'],
  ['2024-03-11T20:29:00Z', '2024-03-08', 'clocks went forward on Sunday'],
  ['2024-03-11T20:30:00Z', '2024-03-11', 'the close is at 20:00Z in summer'],
  ['2024-11-01T20:30:00Z', '2024-11-01', 'the last close of summer'],
  ['2024-11-04T20:30:00Z', '2024-11-01', 'clocks went back: the close is at 21:00Z'],
  ['2024-11-04T21:30:00Z', '2024-11-04', 'clocks went back'],
  ['2024-11-29T18:29:00Z', '2024-11-27', 'a half day, after Thanksgiving'],
  ['2024-11-29T18:30:00Z', '2024-11-29', 'a half day closes at 18:00Z'],
  ['2025-01-09T23:00:00Z', '2025-01-08', 'a national day of mourning'],
  ['2001-09-14T23:00:00Z', '2001-09-10', 'the exchange was closed for four days'],
  ['2024-03-28T02:00:00Z', '2024-03-27', 'still the 27th in New York'],
];

test('finds the latest session that closed at least the lag ago', () => {
  for (const [now, session, reason] of CASES) {
    assert.equal(
      formatSession(latestClosedSession(Date.parse(now), LAG_MINUTES * MINUTE_MS)),
      session,
      `${now}: ${reason}`,
    );
  }
});

test('finds a session at its close without a lag', () => {
  const close = Date.parse('2024-07-03T17:00:00Z');
  assert.equal(formatSession(latestClosedSession(close, 0)), '2024-07-03');
  assert.equal(formatSession(latestClosedSession(close - 1, 0)), '2024-07-02');
});

test('converts between dates and days', () => {
  assert.equal(parseSession('2024-02-29'), Date.UTC(2024, 1, 29));
  assert.equal(formatSession(parseSession('1999-12-31')), '1999-12-31');
});
