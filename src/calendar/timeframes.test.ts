import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTimeframe, TIMEFRAMES } from './timeframes.ts';

// The contract's list, written out by hand.
const MEANING: Record<string, string> = {
  '1min': '1min',
  '5min': '5min',
  '15min': '15min',
  '30min': '30min',
  '1h': '1h',
  '4h': '4h',
  '1D': '1D',
  '1W-MON': '1W-MON',
  '1MS': '1MS',
  '1Min': '1min',
  '5Min': '5min',
  '15Min': '15min',
  '30Min': '30min',
  '1Hour': '1h',
  '4Hour': '4h',
  '1Day': '1D',
  '1Week': '1W-MON',
  '1Month': '1MS',
  '1m': '1min',
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1w': '1W-MON',
};

test('maps every listed spelling to its frequency', () => {
  assert.deepEqual(Object.fromEntries(TIMEFRAMES.map((spelling) => [spelling, parseTimeframe(spelling)])), MEANING);
});

test('returns null for other spellings: case and spaces matter, and period ends are not timeframes', () => {
  const unlisted = [
    '1M',
    '5M',
    '1MIN',
    '1H',
    '4H',
    '1d',
    '1day',
    '1W',
    '1week',
    '1month',
    '1mo',
    '1ms',
    '1ME',
    '2h',
    '60m',
  ];
  for (const spelling of [...unlisted, '', ' 1m', '1m ', '1', 'constructor', '__proto__']) {
    assert.equal(parseTimeframe(spelling), null, JSON.stringify(spelling));
  }
});
