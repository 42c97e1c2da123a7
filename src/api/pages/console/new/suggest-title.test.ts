import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestTitle } from './suggest-title.ts';

const industry = {
  field: 'industry',
  label: 'Industry',
  required: true,
  values: [{ value: 'mining', label: 'Mining and Extraction' }],
};

test('suggests the title of the series with the chosen dimensions', () => {
  const described = { title: 'Unemployment', dimensions: [industry] };
  assert.equal(suggestTitle(described, {}), 'Unemployment');
  assert.equal(suggestTitle(described, { dimensions: { industry: 'mining' } }), 'Unemployment (Mining and Extraction)');
  assert.equal(suggestTitle(described, { dimensions: { industry: 'other' } }), 'Unemployment (other)');
});

test('suggests only what can be the name of a forecast', () => {
  const suggest = (title: string) =>
    suggestTitle({ title, dimensions: [industry] }, { dimensions: { industry: 'mining' } });
  assert.equal(suggest('x'.repeat(500)), `${'x'.repeat(175)}… (Mining and Extraction)`);
  assert.equal(suggest('Gold\u202e\u0000 price'), 'Gold price (Mining and Extraction)');
  const plain = (title: string) => suggestTitle({ title, dimensions: [] }, {});
  assert.deepEqual(['\u202e', '', '\u2800'].map(plain), ['', '', '']);
});
