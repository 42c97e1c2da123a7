import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../time-range.ts';
import { easterSunday, holidaysOf } from './holidays.ts';
import { isSession } from './sessions.ts';

const day = (date: string) => Date.parse(date);

// As the exchange announced them (NYSE Group holiday calendars 2022 to 2028), weekdays only.
const ANNOUNCED: Record<number, string> = {
  2022: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26',
  2023: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25',
  2024: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25',
  2025: '01-01 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25',
  2026: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
  2027: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
  2028: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25',
};

test('lists the holidays that the exchange announced, and no others', () => {
  for (const [year, dates] of Object.entries(ANNOUNCED)) {
    const weekdays = [...holidaysOf(Number(year))].filter((date) => ![0, 6].includes(new Date(date).getUTCDay()));
    const found = weekdays.sort((one, other) => one - other).map((date) => new Date(date).toISOString().slice(5, 10));
    assert.equal(found.join(' '), dates, year);
  }
});

test('does not move a New Year on a Saturday: the Friday before and the Monday after are sessions', () => {
  for (const year of [1994, 2000, 2005, 2011, 2022, 2028, 2033]) {
    const newYear = Date.UTC(year, 0, 1);
    assert.equal(new Date(newYear).getUTCDay(), 6, `${year}`);
    assert.ok(isSession(newYear - DAY_MS) && isSession(newYear + 2 * DAY_MS), `${year}`);
  }
});

test('starts each holiday in the year in which the exchange adopted it', () => {
  assert.ok(isSession(day('1997-01-20')) && !isSession(day('1998-01-19')), 'Martin Luther King, Jr. Day');
  assert.ok(
    isSession(day('2020-06-19')) && isSession(day('2021-06-18')) && !isSession(day('2022-06-20')),
    'Juneteenth',
  );
});

test('has no session on special closures', () => {
  const closed = '1994-04-27 2001-09-11 2001-09-12 2001-09-13 2001-09-14 2004-06-11 2007-01-02 2012-10-29 2012-10-30';
  for (const date of [...closed.split(' '), '2018-12-05', '2025-01-09'])
    assert.equal(isSession(day(date)), false, date);
});

test('computes Easter Sundays, including the earliest and the latest possible', () => {
  const known = [
    '1818-03-22',
    '1943-04-25',
    '1990-04-15',
    '2000-04-23',
    '2008-03-23',
    '2024-03-31',
    '2038-04-25',
    '2049-04-18',
  ];
  for (const date of known) assert.equal(easterSunday(Number(date.slice(0, 4))), day(date), date);
});
