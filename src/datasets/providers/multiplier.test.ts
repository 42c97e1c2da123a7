import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiplierOf, withMultiplier } from './multiplier.ts';

test('finds the number that units contain', () => {
  assert.equal(multiplierOf('Billions of Dollars'), 1e9);
  assert.equal(multiplierOf('Thousand persons'), 1e3);
  assert.equal(multiplierOf('Current prices, million euro'), 1e6);
  assert.equal(multiplierOf('Chain linked volumes (2015), million units of national currency'), 1e6);
  assert.equal(multiplierOf('Persons per million inhabitants'), null);
  assert.equal(multiplierOf('Percent'), null);
  assert.equal(multiplierOf('Millionaires'), null);
});

test('adds a number that is stated separately, but not twice', () => {
  assert.equal(withMultiplier('EUR', 1e6), 'Millions of EUR');
  assert.equal(withMultiplier('USD', 1), 'USD');
  assert.equal(withMultiplier('Billions of Dollars', 1e9), 'Billions of Dollars');
  assert.equal(withMultiplier('persons', 100), '100 persons');
  assert.equal(withMultiplier('', 1e6), '');
  assert.equal(withMultiplier('EUR', null), 'EUR');
});
