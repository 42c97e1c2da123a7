import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderKnownRows } from '../../forecast/known-rows.ts';
import { cutoffsOf } from './cutoffs.ts';
import type { Forecast } from './replay-request.ts';

/** Returns the cutoffs of a forecast whose last row and last step are given. */
function cutoffsFrom(settings: Partial<Forecast['settings']>, last: string, step: string) {
  const forecast = { settings: { hours: null, ...settings }, predictions: [{ timestamp: step, quantiles: {} }] };
  return cutoffsOf(forecast as unknown as Forecast, Date.parse(last));
}

const monthly = cutoffsFrom({ frequency: '1ME', series_kind: 'plain' }, '2020-04-30', '2021-04-30');
const daily = cutoffsFrom({ frequency: '1D', series_kind: 'exchange', hours: 'regular' }, '2018-05-11', '2018-06-08');
const minutes = cutoffsFrom({ frequency: '5min', series_kind: 'plain' }, '2020-04-30T10:00Z', '2020-04-30T10:30Z');

test('counts days back from the end of the last row, as a forecast with that cutoff does', () => {
  assert.deepEqual(monthly.read('120'), { cutoff: '2020-01-02T00:00:00.000Z' });
  assert.deepEqual(daily.read('120'), { cutoff: '2018-01-11T21:00:00.000Z' });
  assert.deepEqual(minutes.read('1'), { cutoff: '2020-04-29T10:05:00.000Z' });
});

test('a day is the last day that is known, and the page names it like that', () => {
  assert.deepEqual(monthly.read('2020-01-01'), monthly.read('120'));
  const words = ({ describe }: typeof daily, cutoff: string) => {
    const { word, when } = describe(cutoff);
    return `${word} ${when}`;
  };
  assert.equal(words(monthly, '2020-01-02T00:00:00.000Z'), 'until Jan 1, 2020');
  assert.equal(words(daily, '2018-01-11T00:00:00.000Z'), 'until Jan 10, 2018');
  assert.equal(words(daily, '2018-01-11T21:00:00.000Z'), 'until Jan 11, 2018', 'the session is over');
  assert.equal(words(daily, '2018-01-11T20:59:00.000Z'), 'until Jan 10, 2018', 'the session is not over');
  assert.equal(words(monthly, '2020-01-02T12:00:00.000Z'), 'until Jan 1, 2020', 'the day is not over');
  assert.equal(words(minutes, '2020-04-29T10:05:00.000Z'), 'before Apr 29, 2020, 10:05 UTC');
  assert.equal(words(minutes, '2020-04-29T00:00:00.000Z'), 'before Apr 29, 2020, 00:00 UTC');
  assert.equal(words(daily, '9999-01-11T21:00:00.000Z'), 'until Jan 10, 9999', 'no calendar is known');
  assert.equal(monthly.countDays('2020-01-02T00:00:00.000Z'), 120);
});

test('a list, which knows no cadence, states a day only where every cadence has the same one', () => {
  const { text: day } = renderKnownRows('2018-01-11T00:00:00.000Z', null);
  assert.equal(day, 'until <time datetime="2018-01-10">Jan 10, 2018</time>');
  assert.match(renderKnownRows('2018-01-11T21:00:00.000Z', null).text, /^before <time .*>Jan 11, 2018, 21:00 UTC</);
});

test('suggests a cutoff after which every step came, if the usual ones are too late', () => {
  assert.deepEqual(monthly.suggested, [120, 180, 365]);
  assert.deepEqual(daily.suggested, [120, 180]);
});

test('refuses a cutoff after the last row', () => {
  assert.ok('error' in monthly.read('2020-04-30'));
  assert.ok('cutoff' in monthly.read('2020-04-29'));
});
