import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectPrices } from './read-probability.ts';

const close = Float64Array.of(1, 2, 3);
const volume = Float64Array.of(10, 20, 30);
const rows = { table: { timestamps: Float64Array.of(0, 1, 2), columns: { volume, close } } };
const market = { type: 'market', symbol: '^GSPC', timeframe: '1D' } as const;

test('selects the prices of market bars, by default the close, but not the volume', () => {
  assert.equal(selectPrices(rows, market), close);
  assert.equal(selectPrices(rows, { ...market, value_field: 'close' }), close);
  assert.equal(selectPrices(rows, { ...market, value_field: 'volume' }), null);
});

test('selects nothing from other sources', () => {
  assert.equal(selectPrices(rows, null), null, 'inline rows');
  assert.equal(selectPrices(rows, { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' }), null);
});
