import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PublicReference, Source } from '../../../contract/index.ts';
import { readSource, seriesAddress, sourceParams } from './source-address.ts';

const SOURCES: readonly PublicReference[] = [
  { type: 'market', symbol: 'BRK.B', timeframe: '1D' },
  { type: 'market', symbol: 'EUR/USD', provider: 'auto', timeframe: '1h', adjustment: 'raw', session: 'extended' },
  {
    type: 'economic_series',
    provider: 'eurostat',
    series_id: 'une_rt_m',
    dimensions: { geo: 'DE', s_adj: 'SA & more = ?' },
    vintage: '2024-01-31',
    value_field: 'value',
  },
  {
    type: 'warehouse_table',
    table: 'local.trips',
    time_field: 'day',
    value_field: 'trips',
    filters: [
      { field: 'city', values: ['Zürich', '[x]'] },
      { field: 'line', values: [7, true, '7'] },
    ],
    start: '2020-01-01T00:00:00Z',
    aggregate: { function: 'sum', frequency: '1MS' },
  },
];

for (const source of SOURCES) {
  test(`the address of ${JSON.stringify(source).slice(0, 60)} names the same source`, () => {
    const query = Object.fromEntries(sourceParams(source));
    assert.deepEqual(Source.parse(readSource(query)), Source.parse(source));
  });
}

test('an address can be read by people and has more parameters', () => {
  assert.equal(
    seriesAddress({ type: 'market', symbol: 'AAPL', timeframe: '1D' }, { from: '2024-01-01' }),
    '/series?source=market&symbol=AAPL&timeframe=1D&from=2024-01-01',
  );
});

test('choices that were not made are left out, and values that cannot be are kept for the operation to name', () => {
  assert.equal(readSource({}), null);
  assert.equal(readSource({ source: 'inline' }), null);
  assert.equal(readSource({ source: ['market', 'market'] }), null);
  assert.deepEqual(readSource({ source: 'market', symbol: 'A', timeframe: '', session: 'always' }), {
    type: 'market',
    symbol: 'A',
    session: 'always',
  });
  const twice = readSource({ source: 'market', symbol: ['A', 'B'], timeframe: '1D' });
  assert.equal(Source.safeParse(twice).success, false);
  const broken = readSource({
    source: 'warehouse_table',
    table: 't',
    time_field: 'd',
    value_field: 'v',
    'filter.x': '[',
  });
  assert.deepEqual((broken as { filters: unknown }).filters, [{ field: 'x', values: ['['] }]);
});
