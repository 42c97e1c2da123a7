import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cadence, FREQUENCIES, type Frequency } from '../calendar/index.ts';
import type { SourceReference } from '../contract/index.ts';
import { nameForecast } from './name-forecast.ts';

const SESSIONS: Cadence = { frequency: '1D', kind: 'exchange', hours: 'regular' };
const INDEX: SourceReference = { type: 'market', symbol: '^GSPC', timeframe: '1D' };

function name(source: SourceReference | null, horizon: number, cadence: Cadence): string {
  return nameForecast({ title: null, settings: { source, horizon, cadence } });
}

test('a title is the name', () => {
  const settings = { source: INDEX, horizon: 30, cadence: SESSIONS };
  assert.equal(nameForecast({ title: 'Next month 🌱', settings }), 'Next month 🌱');
});

test('an untitled forecast is named after its source and horizon', () => {
  const monthly: Cadence = { frequency: '1ME', kind: 'plain' };
  assert.equal(name(INDEX, 30, SESSIONS), '^GSPC, 30 sessions');
  assert.equal(name(INDEX, 1, SESSIONS), '^GSPC, 1 session');
  assert.equal(name({ ...INDEX, value_field: 'close' }, 2, SESSIONS), '^GSPC, 2 sessions');
  assert.equal(name({ ...INDEX, value_field: 'volume' }, 2, SESSIONS), '^GSPC volume, 2 sessions');
  assert.equal(
    name({ type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2' }, 12, monthly),
    'mauna-loa-co2, 12 months',
  );
  const columns = { time_field: 'day', value_field: 'price' };
  assert.equal(
    name({ type: 'warehouse_table', table: 'local.sales', ...columns }, 8, { frequency: '1W-MON', kind: 'plain' }),
    'price of local.sales, 8 weeks',
  );
  assert.equal(
    name({ type: 'workspace_csv', workspace_id: 'ws_1', csv_id: 'csv_1', ...columns }, 3, monthly),
    'price, 3 months',
  );
  assert.equal(name(null, 3, { frequency: '1D', kind: 'plain' }), 'Inline rows, 3 days');
});

test('every frequency has words for one and for several steps', () => {
  const words = (frequency: Frequency, horizon: number) =>
    name(null, horizon, { frequency, kind: 'plain' }).replace('Inline rows, ', '');
  assert.deepEqual(
    FREQUENCIES.map((frequency) => [words(frequency, 1), words(frequency, 24)]),
    [
      ['1 minute', '24 minutes'],
      ['5 minutes', '24 x 5 minutes'],
      ['15 minutes', '24 x 15 minutes'],
      ['30 minutes', '24 x 30 minutes'],
      ['1 hour', '24 hours'],
      ['4 hours', '24 x 4 hours'],
      ['1 day', '24 days'],
      ['1 week', '24 weeks'],
      ['1 month', '24 months'],
      ['1 month', '24 months'],
      ['1 quarter', '24 quarters'],
      ['1 year', '24 years'],
    ],
  );
  assert.equal(name(null, 5, { frequency: '1D', kind: 'currency' }), 'Inline rows, 5 days');
  assert.equal(name(null, 5, { frequency: '1h', kind: 'exchange', hours: 'regular' }), 'Inline rows, 5 hours');
});
