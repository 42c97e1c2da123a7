import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAddress, readChoices, toRequest } from './choices.ts';

const SOURCE = { source: 'market', symbol: 'AAPL', timeframe: '1D' };
const requestOf = (fields: Record<string, unknown>) => toRequest(readChoices({ ...SOURCE, ...fields }));

test('reads a request from the fields of the form, without those that are empty', () => {
  assert.deepEqual(
    requestOf({
      horizon: ' 20 ',
      title: '',
      seed: '7',
      'model.ets': 'on',
      'model.theta': '',
      quantiles: '0.1; 0.5,0.9',
    }),
    {
      source: { type: 'market', symbol: 'AAPL', timeframe: '1D' },
      horizon: 20,
      seed: 7,
      models: ['ets'],
      quantiles: [0.1, 0.5, 0.9],
    },
  );
});

test('leaves what is not a number as it was typed, so that the operation names the field', () => {
  const { horizon, quantiles, seed } = requestOf({ horizon: '1e9', quantiles: '0.1 x', seed: 'Infinity' });
  assert.deepEqual([horizon, quantiles, seed], ['1e9', [0.1, 'x'], 'Infinity']);
});

test('reads a cutoff as days, as the end of a day or as an instant', () => {
  const cutoffs = ['120', '2024-01-31', '2024-02-29', '2024-02-30', '2024-01-31T12:00:00Z', 'soon'];
  assert.deepEqual(
    cutoffs.map((cutoff) => requestOf({ cutoff }).cutoff),
    [120, '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z', '2024-02-30', '2024-01-31T12:00:00Z', 'soon'],
  );
});

test('sends typed weights only if weights are typed, and only those of chosen models', () => {
  const weights = { 'weight.ets': '2', 'weight.theta': '1', 'model.ets': 'on' };
  assert.equal('weights' in requestOf(weights), false);
  assert.deepEqual(requestOf({ ...weights, weight_mode: 'manual' }).weights, { ets: 2 });
});

test('ignores fields that were sent twice, and names no property of the prototype', () => {
  const { fields, weights } = readChoices({ ...SOURCE, horizon: ['1', '2'], 'weight.__proto__': '1' });
  assert.equal(fields.horizon, undefined);
  assert.deepEqual(Object.keys(weights), ['__proto__']);
  assert.equal(Object.getPrototypeOf(weights), Object.prototype);
});

test('an address has the same choices when it is read again', () => {
  const choices = readChoices({ ...SOURCE, horizon: '20', 'model.ets': 'on', 'weight.ets': '1', cutoff: '2024-01-31' });
  const { searchParams } = new URL(newAddress(choices), 'http://site.invalid');
  assert.deepEqual(readChoices(Object.fromEntries(searchParams)), choices);
});
