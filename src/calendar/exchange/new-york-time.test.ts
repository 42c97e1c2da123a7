import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newYorkDate, newYorkInstant, newYorkOffset } from './new-york-time.ts';

const HOUR = 3_600_000;
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'short',
});

// Past years only: the law of the future may change, and with it the data that Intl carries.
test('dates in New York agree with the time-zone database around each midnight, 1990 to 2025', () => {
  for (let midnight = Date.UTC(1990, 0, 1); midnight < Date.UTC(2026, 0, 1); midnight += 24 * HOUR) {
    // 04:00 or 05:00 UTC: one of these two hours is on the other side for a wrong offset.
    for (const instant of [4, 5].map((hour) => midnight + hour * HOUR - 1)) {
      const [date = ''] = clock.format(instant).split(' ');
      assert.equal(newYorkDate(instant), Date.parse(date), new Date(instant).toISOString());
    }
  }
});

test('clocks change at 2:00 in the morning', () => {
  const changes: [string, string][] = [
    ['2006-04-02T07:00Z', '2006-10-29T06:00Z'],
    ['2007-03-11T07:00Z', '2007-11-04T06:00Z'],
    ['2024-03-10T07:00Z', '2024-11-03T06:00Z'],
  ];
  const shown = (instant: number) => new Date(instant + newYorkOffset(instant)).toISOString().slice(11, 16);
  for (const [forward, back] of changes.map((pair) => pair.map((text) => Date.parse(text)))) {
    assert.deepEqual([shown((forward ?? 0) - 1), shown(forward ?? 0)], ['01:59', '03:00']);
    assert.deepEqual([shown((back ?? 0) - 1), shown(back ?? 0)], ['01:59', '01:00']);
  }
});

test('9:30 and 16:00 in New York are what the time-zone database says, every day from 1990 to 2025', () => {
  for (let day = Date.UTC(1990, 0, 1); day < Date.UTC(2026, 0, 1); day += 24 * HOUR) {
    const date = new Date(day).toISOString().slice(0, 10);
    assert.equal(clock.format(newYorkInstant(day, 9 * 60 + 30)), `${date} 09:30`);
    assert.equal(clock.format(newYorkInstant(day, 16 * 60)), `${date} 16:00`);
  }
});

test('years before the rules that are written down are refused', () => {
  assert.throws(() => newYorkDate(Date.UTC(1986, 11, 31)), RangeError);
  assert.throws(() => newYorkDate(Number.NaN), RangeError);
});
