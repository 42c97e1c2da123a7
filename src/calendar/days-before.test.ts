import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cadence } from './cadence.ts';
import { isCompleted } from './completed-bars.ts';
import { daysBefore } from './days-before.ts';
import { sessionsBetween } from './exchange/sessions.ts';
import { DAY_MS } from './time-range.ts';

const DAILY: Cadence = { frequency: '1D', kind: 'exchange', hours: 'regular' };
const EXTENDED: Cadence = { frequency: '1D', kind: 'exchange', hours: 'extended' };
const within = (frequency: Cadence['frequency'], hours: Cadence['hours'] = 'regular'): Cadence => ({
  frequency,
  kind: 'exchange',
  hours,
});
const plain = (frequency: Cadence['frequency']): Cadence => ({ frequency, kind: 'plain' });

// Each case: the cadence, the timestamp of the last bar, a number of days, and the instant so many days before.
const CASES: [Cadence, string, number, string][] = [
  [DAILY, '2018-05-11', 0, '2018-05-11T20:00Z'],
  // Clocks went forward on 2018-03-11 and back on 2018-11-04.
  [DAILY, '2018-05-11', 120, '2018-01-11T21:00Z'],
  [DAILY, '2018-05-11', 180, '2017-11-10T21:00Z'], // 2017-11-12 is a Sunday
  [DAILY, '2019-01-11', 120, '2018-09-13T20:00Z'],
  [DAILY, '2019-01-11', 180, '2018-07-13T20:00Z'], // 2018-07-15 is a Sunday
  [EXTENDED, '2018-05-11', 120, '2018-01-12T01:00Z'],
  [EXTENDED, '2019-01-11', 120, '2018-09-14T00:00Z'],
  // Early closes at 13:00: on the last day, on the day of the cutoff, and on the last session before a holiday.
  [DAILY, '2018-07-03', 120, '2018-03-05T21:00Z'],
  [DAILY, '2018-07-03', 180, '2018-01-04T21:00Z'],
  [DAILY, '2018-11-23', 120, '2018-07-26T20:00Z'],
  [DAILY, '2018-03-23', 119, '2017-11-24T18:00Z'],
  [DAILY, '2018-03-23', 120, '2017-11-22T21:00Z'], // 2017-11-23 is Thanksgiving
  [DAILY, '2018-12-31', 181, '2018-07-03T17:00Z'],
  // Before the first known session, days end with their UTC day.
  [DAILY, '1990-01-03', 2, '1990-01-01T00:00Z'],
  [DAILY, '1990-04-02', 120, '1989-12-04T00:00Z'],
  [DAILY, '2018-05-11', 36_500, '1918-06-06T00:00Z'],
  [DAILY, '1850-05-10', 36_500, '1750-06-04T00:00Z'],
  // Weeks and months: the last one whose last day is so many days before.
  [within('1W-MON'), '2018-05-07', 119, '2018-01-15T00:00Z'],
  [within('1W-MON'), '2018-05-07', 120, '2018-01-08T00:00Z'],
  [within('1MS'), '2018-05-01', 120, '2018-02-01T00:00Z'],
  [within('1MS'), '2018-05-01', 121, '2018-01-01T00:00Z'],
  [within('1MS', 'extended'), '2018-06-01', 150, '2018-02-01T01:00Z'],
  // Within a day: the same time in New York.
  [within('1h'), '2018-05-11T19:00Z', 120, '2018-01-11T21:00Z'],
  [within('1h'), '2018-05-11T19:00Z', 180, '2017-11-12T21:00Z'],
  [within('5min'), '2019-01-11T15:00Z', 120, '2018-09-13T14:05Z'],
  [within('5min'), '2019-01-11T15:00Z', 180, '2018-07-15T14:05Z'],
  [within('30min'), '2018-07-03T16:30Z', 120, '2018-03-05T18:00Z'], // an early close
  [within('1min', 'extended'), '2018-01-12T00:59Z', 120, '2017-09-14T00:00Z'], // 20:00 on the day before in New York
  [within('1h'), '2018-05-11T19:00Z', 36_500, '1918-06-05T20:00Z'],
  // Other series count days of 24 hours.
  [plain('1D'), '2018-05-11', 120, '2018-01-12T00:00Z'],
  [plain('1h'), '2018-05-11T19:00Z', 120, '2018-01-11T20:00Z'],
  [plain('1h'), '2019-01-11T20:00Z', 180, '2018-07-15T21:00Z'],
  [plain('1ME'), '2018-05-31', 120, '2018-02-01T00:00Z'],
];

test('counts dates of the exchange for its bars and 24 hours for other series', () => {
  for (const [cadence, last, days, instant] of CASES) {
    const found = daysBefore(cadence, Date.parse(last), days);
    const name = `${JSON.stringify(cadence)} ${last} ${days}`;
    assert.equal(new Date(found).toISOString(), new Date(instant).toISOString(), name);
  }
});

test('keeps exactly the sessions that are at least the given number of days earlier, at any time of the year', () => {
  const sessions = sessionsBetween(Date.UTC(2017, 0, 1), Date.UTC(2018, 11, 31));
  for (const last of sessions.filter((day) => day >= Date.UTC(2018, 0, 1))) {
    for (const days of [120, 180]) {
      const cutoff = daysBefore(DAILY, last, days);
      const kept = sessions.findLast((day) => isCompleted(DAILY, day, cutoff));
      const expected = sessions.findLast((day) => day <= last - days * DAY_MS);
      assert.equal(kept, expected, `${new Date(last).toISOString()} ${days}`);
    }
  }
});
