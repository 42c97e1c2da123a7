import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDateOver, localDate } from './vintages.ts';

const CHICAGO = 'America/Chicago';

test('returns the date of an instant in the time zone of the provider', () => {
  assert.equal(localDate(Date.parse('2020-01-01T05:59:59Z'), CHICAGO), '2019-12-31');
  assert.equal(localDate(Date.parse('2020-01-01T06:00:00Z'), CHICAGO), '2020-01-01');
  assert.equal(localDate(Date.parse('2020-07-01T04:59:59Z'), CHICAGO), '2020-06-30');
  assert.equal(localDate(Date.parse('2020-07-01T05:00:00Z'), CHICAGO), '2020-07-01');
});

test('a date is over from the midnight that ends it in the time zone, also around clock changes', () => {
  const cases = [
    ['2020-03-01T05:59:59.999Z', '2020-02-28'],
    ['2020-03-01T06:00:00Z', '2020-02-29'],
    // Clocks change on 8 March and on 1 November.
    ['2020-03-09T04:59:59.999Z', '2020-03-07'],
    ['2020-03-09T05:00:00Z', '2020-03-08'],
    ['2020-11-02T05:59:59.999Z', '2020-10-31'],
    ['2020-11-02T06:00:00Z', '2020-11-01'],
    ['2021-01-01T06:00:00Z', '2020-12-31'],
  ] as const;
  for (const [instant, date] of cases) assert.equal(lastDateOver(Date.parse(instant), CHICAGO), date, instant);
});
