import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyTradingEnd, tradingWeek, tradingWeekNumber } from './trading-week.ts';

const weekOf = (instant: string) => {
  const { open, close } = tradingWeek(tradingWeekNumber(Date.parse(instant)));
  return [open, close].map((time) => new Date(time).toISOString().slice(0, 16));
};

test('opens and closes at 17:00 in New York, also in the weeks of both clock changes', () => {
  const weeks: [string, string, string][] = [
    ['2024-03-06', '2024-03-03T22:00', '2024-03-08T22:00'],
    ['2024-03-13', '2024-03-10T21:00', '2024-03-15T21:00'], // Clocks went forward on Sunday, before the open.
    ['2024-10-30', '2024-10-27T21:00', '2024-11-01T21:00'],
    ['2024-11-06', '2024-11-03T22:00', '2024-11-08T22:00'], // Clocks went back on Sunday.
    ['2006-04-05', '2006-04-02T21:00', '2006-04-07T21:00'], // The law before 2007.
    ['2006-10-29T22:00Z', '2006-10-29T22:00', '2006-11-03T22:00'],
  ];
  for (const [instant, ...hours] of weeks) assert.deepEqual(weekOf(instant), hours, instant);
});

test('trades from Monday to Friday in UTC before New York time is known', () => {
  assert.deepEqual(weekOf('1986-12-31'), ['1986-12-29T00:00', '1987-01-03T00:00']);
  assert.deepEqual(weekOf('1987-01-03'), ['1987-01-04T22:00', '1987-01-09T22:00']);
  assert.deepEqual(weekOf('1973-07-04'), ['1973-07-02T00:00', '1973-07-07T00:00']);
});

test('returns the last instant of trading', () => {
  const cases: [string, string][] = [
    ['2024-01-05T21:30Z', '2024-01-05T21:30Z'],
    ['2024-01-05T22:00Z', '2024-01-05T22:00Z'],
    ['2024-01-05T22:01Z', '2024-01-05T22:00Z'],
    ['2024-01-06T00:00Z', '2024-01-05T22:00Z'],
    ['2024-01-07T22:00Z', '2024-01-05T22:00Z'],
    ['2024-01-07T22:01Z', '2024-01-07T22:01Z'],
    ['2024-03-10T21:00Z', '2024-03-08T22:00Z'],
  ];
  for (const [instant, end] of cases) assert.equal(currencyTradingEnd(Date.parse(instant)), Date.parse(end), instant);
});
