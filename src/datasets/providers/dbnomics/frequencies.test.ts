import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFrequencyDimension } from './frequencies.ts';

const MEANINGS: readonly (readonly [value: string, label: string, meaning: string])[] = [
  ['A', 'Annual', '1YE'],
  ['a', 'Annually', '1YE'],
  ['A', 'A', '1YE'],
  ['annual', 'annual', '1YE'],
  ['203', 'Annual year, December', '1YE'],
  ['A5', 'Every 5 years', 'five-yearly'],
  ['S', 'Half-yearly, semester', 'half-yearly'],
  ['H', 'Half-yearly', 'half-yearly'],
  ['bi-annual', 'bi-annual', 'half-yearly'],
  ['H', 'Hourly', 'hourly'],
  ['Q', 'Quarterly', '1QE'],
  ['T', 'Trimestrielle', '1QE'],
  ['B', 'Bimestrielle', 'two-monthly'],
  ['M', 'Monthly', '1ME'],
  ['m', 'm', '1ME'],
  ['M', 'Mensuelle', '1ME'],
  ['W', 'Weekly', '1W-MON'],
  ['19', 'Weekly (Friday)', '1W-MON'],
  ['67', 'Bi-weekly (Wednesday)', 'two-weekly'],
  ['B', 'Daily - businessweek', '1D'],
  ['9', 'Business day', '1D'],
  ['D', 'Daily', '1D'],
  ['E', 'Event (not supported)', 'irregular'],
  ['B', 'B', 'irregular'],
];

for (const [value, label, meaning] of MEANINGS) {
  test(`reads the frequency ${value}, ${label}`, () => {
    const dimension = { field: 'Freq', values: [{ value, label }] };
    const found = findFrequencyDimension([{ field: 'FREQUENTLY', values: [] }, dimension]);
    assert.equal(found?.dimension, 'Freq');
    const stated = found.byValue[value];
    assert.ok(stated);
    assert.equal('frequency' in stated ? stated.frequency : stated.unsupported, meaning);
  });
}

test('finds no frequency dimension among others', () => {
  assert.equal(findFrequencyDimension([{ field: 'geo', values: [{ value: 'A', label: 'Annual' }] }]), null);
});
