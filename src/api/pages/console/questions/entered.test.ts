import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfDay, formatPercent, readPercent, toInstant } from './entered.ts';

test('reads probabilities as people type them, and refuses anything beyond 0 and 100', () => {
  const read = ['62.5', '62,5 %', '0', '100%', ' 7 ', '12.3'].map(readPercent);
  assert.deepEqual(read, [0.625, 0.625, 0, 1, 0.07, 0.123]);
  for (const text of ['', '101', '-1', '1e2', '0x10', 'half', '50%%', '١٢', 'NaN', 'Infinity'])
    assert.equal(readPercent(text), null, text);
  for (const share of [0, 0.07, 0.123, 0.58, 1]) assert.equal(readPercent(formatPercent(share)), share);
});

test('a date is the end or the start of its day, in UTC, and other text is left for the API to refuse', () => {
  assert.equal(endOfDay('2026-03-31'), '2026-03-31T23:59:59Z');
  assert.equal(endOfDay('soon'), 'soon');
  const read = ['', '2026-03-31', '2026-03-31T14:30', '2026-03-31T14:30:05', 'soon'].map(toInstant);
  assert.deepEqual(read, [undefined, '2026-03-31T00:00:00Z', '2026-03-31T14:30:00Z', '2026-03-31T14:30:05Z', 'soon']);
});
