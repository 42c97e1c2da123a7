import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datesFor, parseSeriesFile } from './series-file.ts';

test('reads a line, with NA for a missing value', () => {
  const [series] = parseSeriesFile('T1@2;DAILY;1;2;1,NA,3;NA,5\n\n', { missingActuals: true });
  assert.ok(series);
  assert.deepEqual([series.id, series.group, series.season, series.horizon], ['T1@2', 'daily', 1, 2]);
  assert.deepEqual([...series.history], [1, Number.NaN, 3]);
  assert.deepEqual([...series.actuals], [Number.NaN, 5]);
});

test('names the line that is wrong, and what to write instead', () => {
  const cases: readonly (readonly [line: string, message: RegExp])[] = [
    ['a;DAILY;1;2;1,2', /^Line 2: Expected id;period;frequency;horizon;history;actuals, got: a;DAILY/],
    ['a;DAILY;1;2;1,2;3,4;5', /^Line 2: Expected id;/],
    ['a;DAILY;0;2;1,2;3,4', /^Line 2: The frequency is 0\. Write a whole number, 1 or more\./],
    ['a;DAILY;1;x;1,2;3,4', /^Line 2: The horizon is x\./],
    ['a;DAILY;1;2;1,,2;3,4', /^Line 2: Value 2 of the history is ''\. Write a number, or NA/],
    ['a;DAILY;1;2;1,2;3,abc', /^Line 2: Value 2 of the actuals is 'abc'\./],
    ['a;DAILY;1;3;1,2;3,4', /^Line 2: Series a has 2 actuals and a horizon of 3\. Give one for each step\./],
    ['a;DAILY;1;2;1,2;3,NA', /^Line 2: Series a has NA among its actuals\. Leave the series out\./],
  ];
  for (const [line, message] of cases) {
    assert.throws(() => parseSeriesFile(`b;DAILY;1;1;1,2;3\n${line}\n`), { message }, line);
  }
});

test('dates follow the period of the line, from a known date or from a usual one', () => {
  const days = (group: string, first?: string) =>
    Array.from(datesFor(group, 2, first).times, (time) => new Date(time).toISOString().slice(0, 10));
  assert.deepEqual(days('yearly'), ['1950-12-31', '1951-12-31']);
  assert.deepEqual(days('quarterly'), ['1980-03-31', '1980-06-30']);
  assert.deepEqual(days('quarterly', '1998-01-01'), ['1998-03-31', '1998-06-30']);
  assert.deepEqual(days('monthly'), ['1980-01-31', '1980-02-29']);
  assert.deepEqual(days('monthly', '1969-01-01'), ['1969-01-31', '1969-02-28']);
  assert.deepEqual(days('weekly'), ['2000-01-03', '2000-01-10']);
  // A Wednesday, whose week begins on the Monday before.
  assert.deepEqual(days('weekly', '1969-01-01'), ['1968-12-30', '1969-01-06']);
  assert.deepEqual(days('daily', '1996-03-18'), ['1996-03-18', '1996-03-19']);
  assert.deepEqual(days('hourly'), ['2015-01-05', '2015-01-05']);
  assert.deepEqual(days('other'), ['2000-01-03', '2000-01-04']);
});
