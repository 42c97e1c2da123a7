import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, Fault } from '../../../../contract/index.ts';
import { toRefusals } from './refusals.ts';

const refuse = (message: string, code: ErrorCode = 'INVALID_REQUEST') => toRefusals(new Fault(code, message));

test('turns a fault into the errors of the fields that it names', () => {
  assert.deepEqual(
    refuse('horizon: must be at least 1. quantiles[0]: must be of the type number. seed: is required.'),
    {
      horizon: 'Horizon must be a whole number from 1 to 365.',
      quantiles: 'Quantiles must be a number.',
      seed: 'Seed is required.',
    },
  );
  assert.deepEqual(refuse('horizon: your plan allows at most 96.'), {
    horizon: 'Horizon: your plan allows at most 96.',
  });
  assert.deepEqual(refuse('frequency: the series is daily.', 'UNPROCESSABLE'), null);
});

test('names the fields of a series by their place in the form', () => {
  assert.deepEqual(refuse('source.value_field: is required, because it has several.'), {
    value_field: 'Value is required, because it has several.',
  });
  assert.deepEqual(refuse('source.dimensions.geo: is required.'), { 'dim.geo': 'This choice is required.' });
  assert.deepEqual(refuse('source.dimensions["ref-area"]: is required.'), {
    'dim.ref-area': 'This choice is required.',
  });
  const list = Array.from({ length: 20 }, (_, i) => `"value ${i}"`).join(', ');
  assert.deepEqual(refuse(`source.dimensions.geo: is required. Choose one of ${list}.`), {
    'dim.geo': 'Choose one of the values on offer.',
  });
  assert.deepEqual(refuse('source: the series has no rows.', 'INSUFFICIENT_HISTORY'), {
    '': 'The series has no rows.',
  });
});

test('leaves other faults to the page', () => {
  assert.equal(refuse('No forecast has this id. horizon: none.'), null);
  assert.equal(refuse('horizon: the database is down.', 'UNAVAILABLE'), null);
  assert.equal(refuse('You can have one forecast queued or running.', 'QUOTA_EXCEEDED'), null);
});
