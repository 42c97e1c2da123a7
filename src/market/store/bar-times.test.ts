import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BarFrequency, barEnd, gridOf, type SeriesKind } from '../../calendar/index.ts';
import { cadenceOf, checkDateAt, lastBarBefore, lastEndedBar, retryTime, settledBefore } from './bar-times.ts';

const at = (time: string) => Date.parse(time);
const iso = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T00:00', '');
const lastEnded = (frequency: BarFrequency, kind: SeriesKind, time: string) =>
  iso(lastEndedBar(cadenceOf({ frequency }, kind), at(time)));

test('a day of an exchange ends when its session closes', () => {
  const cases = [
    ['2024-11-27T20:59:59Z', '2024-11-26'],
    ['2024-11-27T21:00:00Z', '2024-11-27'],
    // Thanksgiving, then a half day that closes at 13:00 in New York.
    ['2024-11-28T23:00:00Z', '2024-11-27'],
    ['2024-11-29T17:59:00Z', '2024-11-27'],
    ['2024-11-29T18:00:00Z', '2024-11-29'],
    ['2024-12-01T18:00:00Z', '2024-11-29'],
    // In summer the session closes at 20:00 UTC.
    ['2024-11-01T20:00:00Z', '2024-11-01'],
    ['2024-11-04T20:59:00Z', '2024-11-01'],
  ] as const;
  for (const [time, expected] of cases) assert.equal(lastEnded('1D', 'exchange', time), expected, time);
});

test('a bar within a day ends during the extended hours only', () => {
  const cases = [
    ['2024-11-27T14:44:59Z', '2024-11-27T14:43'],
    ['2024-11-27T14:45:00Z', '2024-11-27T14:44'],
    // 20:00 in New York, and 17:00 on the half day.
    ['2024-11-28T12:00:00Z', '2024-11-28T00:59'],
    ['2024-11-30T12:00:00Z', '2024-11-29T21:59'],
    ['2024-12-02T09:00:00Z', '2024-11-29T21:59'],
    ['2024-12-02T09:01:00Z', '2024-12-02T09:00'],
    // Before and after the clock change of 2024-11-03.
    ['2024-11-02T12:00:00Z', '2024-11-01T23:59'],
    ['2024-11-04T08:59:00Z', '2024-11-01T23:59'],
  ] as const;
  for (const [time, expected] of cases) assert.equal(lastEnded('1min', 'exchange', time), expected, time);
  assert.equal(lastEnded('30min', 'exchange', '2024-11-30T12:00Z'), '2024-11-29T21:30');
});

test('days of currencies are UTC days without Saturday, and minutes stop on Friday evening', () => {
  assert.equal(lastEnded('1D', 'currency', '2024-11-16T00:00Z'), '2024-11-15');
  assert.equal(lastEnded('1D', 'currency', '2024-11-17T23:00Z'), '2024-11-15');
  assert.equal(lastEnded('1D', 'currency', '2024-11-18T00:00Z'), '2024-11-17');
  assert.equal(lastEnded('1min', 'currency', '2024-11-17T21:00Z'), '2024-11-15T21:59');
  assert.equal(lastEnded('1min', 'currency', '2024-11-17T22:01Z'), '2024-11-17T22:00');
  assert.equal(lastEnded('1min', 'currency', '2024-07-06T12:00Z'), '2024-07-05T20:59');
  assert.equal(lastEnded('1h', 'currency', '2024-07-06T12:00Z'), '2024-07-05T20:00');
});

test('every period of other instruments can have a bar', () => {
  assert.equal(lastEnded('1D', 'plain', '2024-11-17T00:00Z'), '2024-11-16');
  assert.equal(lastEnded('1min', 'plain', '2024-11-16T12:00:30Z'), '2024-11-16T11:59');
});

test('finds the same bars as a walk along the grid', () => {
  for (const kind of ['exchange', 'currency', 'plain'] as const) {
    for (const frequency of ['30min', '1h', '1D'] as const) {
      const cadence = cadenceOf({ frequency }, kind);
      const grid = gridOf(cadence);
      let bar = lastBarBefore(cadence, at('2024-10-28'));
      for (let next = grid.next(bar); bar < at('2024-12-02'); bar = next, next = grid.next(bar)) {
        assert.equal(lastBarBefore(cadence, bar + 1), bar);
        assert.equal(lastBarBefore(cadence, next), bar);
        assert.equal(lastEndedBar(cadence, barEnd(cadence, bar)), bar);
        assert.equal(lastEndedBar(cadence, barEnd(cadence, next) - 1), bar);
      }
    }
  }
});

test('bars before the first known session have no calendar', () => {
  assert.equal(iso(lastBarBefore(cadenceOf({ frequency: '1D' }, 'exchange'), at('1985-06-03'))), '1985-06-02');
});

test('days settle after three more sessions and shorter bars after a day', () => {
  const settled = (frequency: BarFrequency, kind: SeriesKind, time: string) =>
    iso(settledBefore(cadenceOf({ frequency }, kind), at(time)) - 1);
  assert.equal(settled('1D', 'exchange', '2024-12-02T20:59Z'), '2024-11-25');
  assert.equal(settled('1D', 'exchange', '2024-12-02T21:00Z'), '2024-11-26');
  assert.equal(settled('1D', 'currency', '2024-11-19T00:00Z'), '2024-11-14');
  assert.equal(settled('1min', 'exchange', '2024-11-27T15:00Z'), '2024-11-26T14:59');
  assert.equal(settled('1min', 'exchange', '2024-12-02T12:00Z'), '2024-11-29T21:59');
});

test('adjusted prices are checked for the session that has begun', () => {
  assert.equal(iso(checkDateAt(at('2024-11-27T08:59Z'))), '2024-11-26');
  assert.equal(iso(checkDateAt(at('2024-11-27T09:00Z'))), '2024-11-27');
  assert.equal(iso(checkDateAt(at('2024-12-01T12:00Z'))), '2024-11-29');
});

test('a missing bar is expected again after a minute, then twice as late each time', () => {
  const days = cadenceOf({ frequency: '1D' }, 'exchange');
  const retry = (requestedAt: string, delayMs = 0) => {
    const time = retryTime(days, at('2024-11-27'), at(requestedAt), delayMs);
    return time === null ? null : iso(time);
  };
  assert.equal(retry('2024-11-27T21:00:00Z'), '2024-11-27T21:01');
  assert.equal(retry('2024-11-27T21:10:00Z'), '2024-11-27T21:20');
  assert.equal(retry('2024-11-27T21:20:00Z', 15 * 60_000), '2024-11-27T21:25');
  const minutes = cadenceOf({ frequency: '1min' }, 'exchange');
  const last = at('2024-11-28T00:59Z');
  assert.equal(iso(retryTime(minutes, last, at('2024-11-28T01:00Z'), 0) as number), '2024-11-28T01:01');
  assert.equal(retryTime(minutes, last, at('2024-11-28T01:31Z'), 0), null, 'a minute without a trade has no bar');
});
