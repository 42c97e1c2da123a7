import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestValues } from './nearest-values.ts';

const VALUES = [
  { value: 'DEU', label: 'Germany' },
  { value: 'FRA', label: 'France' },
  { value: 'FIN', label: 'Finland' },
  { value: 'EMU', label: 'Euro area' },
];

test('puts the values first whose code or label is most similar', () => {
  const first = (wrong: string) => nearestValues(VALUES, wrong, 2)[0]?.value;
  assert.deepEqual(['fra', 'FR', 'germany', 'Eurozone area', 'fin land'].map(first), [
    'FRA',
    'FRA',
    'DEU',
    'EMU',
    'FIN',
  ]);
  assert.equal(nearestValues(VALUES, 'fra', 2).length, 2);
});

test('keeps the order of values that are equally similar', () => {
  assert.deepEqual(nearestValues(VALUES, 'xyz', 4), VALUES);
});
