import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../time-range.ts';
import { type Hours, sessionHours } from './session-hours.ts';
import { sessionsBetween } from './sessions.ts';

function hoursOf(date: string, hours?: Hours): string {
  const { open, close } = sessionHours(Date.parse(date), hours);
  return [open, close].map((instant) => new Date(instant).toISOString().slice(0, 16)).join(' ');
}

test('returns regular and extended hours in winter and summer', () => {
  assert.equal(hoursOf('2024-01-02'), '2024-01-02T14:30 2024-01-02T21:00');
  assert.equal(hoursOf('2024-07-01'), '2024-07-01T13:30 2024-07-01T20:00');
  assert.equal(hoursOf('2024-01-02', 'extended'), '2024-01-02T09:00 2024-01-03T01:00');
  assert.equal(hoursOf('2024-07-01', 'extended'), '2024-07-01T08:00 2024-07-02T00:00');
});

test('ends half days at 13:00 since 1993 and at 14:00 before, and their late session at 17:00', () => {
  assert.equal(hoursOf('2024-11-29'), '2024-11-29T14:30 2024-11-29T18:00');
  assert.equal(hoursOf('2024-11-29', 'extended'), '2024-11-29T09:00 2024-11-29T22:00');
  assert.equal(hoursOf('1992-11-27'), '1992-11-27T14:30 1992-11-27T19:00');
});

// Every session that closed before 16:00, as announced or recorded by the exchange.
const SHORT_DAYS: Record<number, string> = {
  1990: '12-24',
  1991: '12-24',
  1992: '11-27 12-24',
  1993: '11-26',
  1994: '02-11 11-25',
  1995: '07-03 11-24',
  1996: '01-08 07-05 11-29 12-24',
  1997: '07-03 10-27 11-28 12-24 12-26',
  1998: '11-27 12-24',
  1999: '11-26 12-31',
  2000: '07-03 11-24',
  2001: '07-03 11-23 12-24',
  2002: '07-05 11-29 12-24',
  2003: '07-03 11-28 12-24 12-26',
  2004: '11-26',
  2005: '11-25',
  2006: '07-03 11-24',
  2007: '07-03 11-23 12-24',
  2008: '07-03 11-28 12-24',
  2009: '11-27 12-24',
  2010: '11-26',
  2011: '11-25',
  2012: '07-03 11-23 12-24',
  2013: '07-03 11-29 12-24',
  2014: '07-03 11-28 12-24',
  2015: '11-27 12-24',
  2016: '11-25',
  2017: '07-03 11-24',
  2018: '07-03 11-23 12-24',
  2019: '07-03 11-29 12-24',
  2020: '11-27 12-24',
  2021: '11-26',
  2022: '11-25',
  2023: '07-03 11-24',
  2024: '07-03 11-29 12-24',
  2025: '07-03 11-28 12-24',
  2026: '11-27 12-24',
  2027: '11-26',
  2028: '07-03 11-24',
};

test('shortens the half days of every year from 1990 to 2028, and no others', () => {
  for (const [year, dates] of Object.entries(SHORT_DAYS)) {
    const sessions = sessionsBetween(Date.UTC(Number(year), 0, 1), Date.UTC(Number(year), 11, 31));
    const short = [...sessions].filter((day) => sessionHours(day).close < closeOfFullDay(day));
    assert.equal(short.map((day) => new Date(day).toISOString().slice(5, 10)).join(' '), dates, year);
  }
});

test('opens late on special days', () => {
  assert.equal(hoursOf('1996-01-08'), '1996-01-08T16:00 1996-01-08T19:00');
  assert.equal(hoursOf('2002-09-11'), '2002-09-11T16:00 2002-09-11T20:00');
  assert.equal(hoursOf('2002-09-11', 'extended'), '2002-09-11T08:00 2002-09-12T00:00');
});

test('refuses a day without a session', () => {
  assert.throws(() => sessionHours(Date.UTC(2024, 0, 6)), /not an exchange session/);
});

const hour = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' });

/** Returns 16:00 in New York by Intl, independent of the code under test. */
function closeOfFullDay(day: number): number {
  const afternoon = day + 20 * HOUR_MS;
  return hour.format(afternoon) === '16' ? afternoon : afternoon + HOUR_MS;
}
