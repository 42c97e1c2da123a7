import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalStockSymbol, exchangeName, otherSpellings } from './stock-symbols.ts';

test('gives every spelling of a stock one canonical symbol', () => {
  for (const spelling of ['BRK.B', 'brk-b', 'BRK/B', ' Brk.b ']) assert.equal(canonicalStockSymbol(spelling), 'BRK.B');
  for (const symbol of ['A', 'GOOGL', 'ACHR.WS', 'BAC.PRK']) assert.equal(canonicalStockSymbol(symbol), symbol);
  assert.deepEqual(otherSpellings('BRK.B'), ['BRK-B', 'BRK/B']);
  assert.deepEqual(otherSpellings('AAPL'), []);
});

test('knows texts that cannot be stocks', () => {
  for (const text of [
    '',
    '^GSPC',
    'EURUSD',
    'EUR/USD',
    'eur-usd',
    'BTC-USD',
    'C:EURUSD',
    '123ABC',
    'A B',
    'BRK..B',
    'AAPL?x=1',
    '../x',
  ]) {
    assert.equal(canonicalStockSymbol(text), null, text);
  }
});

test('names the exchanges of both providers', () => {
  assert.deepEqual([exchangeName('XNAS'), exchangeName('NASDAQ')], ['NASDAQ', 'NASDAQ']);
  for (const code of ['constructor', 'ELSEWHERE', null, 7]) assert.equal(exchangeName(code), null);
});
