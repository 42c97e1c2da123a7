import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueSession, sessionDate, sessionDay } from './session-dates.ts';

const LAG = 30;

const CASES: readonly [now: string, due: string, why: string][] = [
  ['2024-03-27T20:29:59.999Z', '2024-03-26', 'the close is not half an hour old'],
  ['2024-03-27T20:30:00.000Z', '2024-03-27', 'it is now'],
  ['2024-03-30T12:00:00Z', '2024-03-28', 'Good Friday and the Saturday after it'],
  ['2024-03-08T21:29:00Z', '2024-03-07', 'winter: the close is at 21:00Z'],
  ['2024-03-08T21:30:00Z', '2024-03-08', 'winter'],
  ['2024-03-11T20:29:00Z', '2024-03-08', 'clocks went forward on Sunday'],
  ['2024-03-11T20:30:00Z', '2024-03-11', 'the close is at 20:00Z from now on'],
  ['2024-11-01T20:30:00Z', '2024-11-01', 'the last close of summer'],
  ['2024-11-04T20:30:00Z', '2024-11-01', 'clocks went back: an hour to go'],
  ['2024-11-04T21:30:00Z', '2024-11-04', 'clocks went back'],
  ['2024-11-29T18:29:00Z', '2024-11-27', 'a half day, after Thanksgiving'],
  ['2024-11-29T18:30:00Z', '2024-11-29', 'it closed at 18:00Z'],
  ['2025-01-09T23:00:00Z', '2025-01-08', 'a day of mourning'],
  ['2001-09-14T23:00:00Z', '2001-09-10', 'closed for four days'],
  ['2024-03-28T02:00:00Z', '2024-03-27', 'still the 27th in New York'],
];

test('the session that is due is the latest whose final close lies the lag back', () => {
  for (const [now, due, why] of CASES) {
    assert.equal(sessionDate(dueSession(Date.parse(now), LAG * 60_000)), due, `${now}: ${why}`);
  }
});

test('without a lag a session is due at its close', () => {
  const close = Date.parse('2024-07-03T17:00:00Z');
  assert.equal(sessionDate(dueSession(close, 0)), '2024-07-03');
  assert.equal(sessionDate(dueSession(close - 1, 0)), '2024-07-02');
});

test('a date and its day are one', () => {
  assert.equal(sessionDay('2024-02-29'), Date.UTC(2024, 1, 29));
  assert.equal(sessionDate(sessionDay('1999-12-31')), '1999-12-31');
});
