import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUNDLED_PAIRS, codeOf, compactSymbol } from './instruments.ts';

test('the bundled list has 40 instruments with names, codes and dates', () => {
  const all = [...BUNDLED_PAIRS.values()];
  assert.equal(all.length, 40);
  for (const one of all) {
    assert.match(one.symbol, /^[A-Z]{6}$/);
    assert.doesNotMatch(one.name, /undefined/);
    assert.ok(codeOf(one)?.endsWith(`-${one.units}`), one.symbol);
    assert.ok(one.starts.days <= one.starts.intraday, one.symbol);
    assert.ok(one.starts.days >= Date.UTC(1973, 2, 1) && one.starts.intraday < Date.UTC(2026, 0), one.symbol);
  }
  const classes = Map.groupBy(all, (one) => one.class);
  assert.deepEqual(
    [...classes].map(([name, { length }]) => [name, length]),
    [
      ['pair', 32],
      ['metal', 4],
      ['coin', 4],
    ],
  );
});

test('an entry carries its name, units, code and aliases', () => {
  const { starts: _starts, ...euro } = BUNDLED_PAIRS.get('EURUSD') ?? { starts: null };
  assert.deepEqual(euro, {
    symbol: 'EURUSD',
    name: 'Euro / US dollar',
    aliases: ['EUR-USD', 'EUR/USD', 'euro dollar'],
    exchange: null,
    class: 'pair',
    units: 'USD',
    status: 'active',
  });
  assert.ok(BUNDLED_PAIRS.get('XAUUSD')?.aliases.includes('gold'));
  assert.ok(BUNDLED_PAIRS.get('BTCUSD')?.aliases.includes('BTC'));
  const platinum = BUNDLED_PAIRS.get('XPTUSD');
  assert.equal(platinum && codeOf(platinum), 'XPT.CMD-USD');
});

test('every spelling of a pair is one symbol', () => {
  for (const text of ['EURUSD', 'eurusd', 'EUR/USD', 'eur-usd', 'EUR_USD', 'Eur Usd']) {
    assert.equal(compactSymbol(text), 'EURUSD', text);
  }
  assert.equal(compactSymbol('xpt.cmd/usd'), 'XPTUSD');
  for (const text of [
    '',
    'EUR',
    'EUR//USD',
    'EU-RUSDX',
    'EUR/US',
    'EUR USD ',
    'EURU\u017fD',
    '../USD',
    'EUR.CMDUSDX',
  ]) {
    assert.notEqual(compactSymbol(text), 'EURUSD', text);
  }
  assert.equal(compactSymbol('EURU\u017fD'), null, 'a letter whose capital is S');
  assert.equal(compactSymbol('../USD'), null);
});
