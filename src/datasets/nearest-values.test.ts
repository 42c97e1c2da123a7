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

test('compares at most 5,000 of many values, those with the same first letter', () => {
  const many = Array.from({ length: 30_000 }, (_, n) => ({ value: `${n % 2 === 0 ? 'X' : 'Y'}${n}`, label: 'Z' }));
  assert.equal(nearestValues(many, 'y8013', 1)[0]?.value, 'Y8013');
  assert.equal(nearestValues(many, 'Q', 3).length, 3);
});
