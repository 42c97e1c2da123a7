import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../time-range.ts';
import { newYorkDate, newYorkInstant, newYorkOffset } from './new-york-time.ts';

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'short',
});

// Past years only: future law may change, and with it the time-zone data of Intl.
test('agrees with the time-zone database on the date in New York around each midnight, 1990 to 2025', () => {
  for (let midnight = Date.UTC(1990, 0, 1); midnight < Date.UTC(2026, 0, 1); midnight += 24 * HOUR_MS) {
    // 04:00 or 05:00 UTC: with a wrong offset, one of these two hours falls on another date.
    for (const instant of [4, 5].map((hour) => midnight + hour * HOUR_MS - 1)) {
      const [date = ''] = clock.format(instant).split(' ');
      assert.equal(newYorkDate(instant), Date.parse(date), new Date(instant).toISOString());
    }
  }
});

test('changes clocks at 2:00 in the morning', () => {
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

test('agrees with the time-zone database on 9:30 and 16:00 in New York, every day from 1990 to 2025', () => {
  for (let day = Date.UTC(1990, 0, 1); day < Date.UTC(2026, 0, 1); day += 24 * HOUR_MS) {
    const date = new Date(day).toISOString().slice(0, 10);
    assert.equal(clock.format(newYorkInstant(day, 9 * 60 + 30)), `${date} 09:30`);
    assert.equal(clock.format(newYorkInstant(day, 16 * 60)), `${date} 16:00`);
  }
});

test('refuses years before the clock rules that it implements', () => {
  assert.throws(() => newYorkDate(Date.UTC(1986, 11, 31)), RangeError);
  assert.throws(() => newYorkDate(Number.NaN), RangeError);
});
