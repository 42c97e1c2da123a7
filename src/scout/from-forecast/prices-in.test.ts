import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pricesIn } from './prices-in.ts';

const close = Float64Array.of(1, 2, 3);
const volume = Float64Array.of(10, 20, 30);
const rows = { table: { timestamps: Float64Array.of(0, 1, 2), columns: { volume, close } } };
const market = { type: 'market', symbol: '^GSPC', timeframe: '1D' } as const;

test('market bars are prices, the close unless another is named; their volume is none', () => {
  assert.equal(pricesIn(rows, market), close);
  assert.equal(pricesIn(rows, { ...market, value_field: 'close' }), close);
  assert.equal(pricesIn(rows, { ...market, value_field: 'volume' }), null);
});

test('rows of anything else are no prices', () => {
  assert.equal(pricesIn(rows, null), null, 'rows that came with the request');
  assert.equal(pricesIn(rows, { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' }), null);
});
