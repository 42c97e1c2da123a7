import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import { type BarTable, createBundledProvider, type RawBar } from '../../market/index.ts';
import { metricsOf } from './metrics-of.ts';
import { SESSIONS_READ } from './metrics-row.ts';

const MAX_DIFFERENCE = 1e-9;

const golden = readFileSync(new URL('../../../test/screener/ttr/ttr.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const [, , ...fields] = (golden[0] as string).split(',') as ScreenerField[];
const rows = golden.slice(1).map((line) => {
  const [symbol = '', session = '', ...cells] = line.split(',');
  return { symbol, session, numbers: cells.map((cell) => (cell === '' ? null : Number(cell))) };
});

function tableOf(bars: readonly RawBar[]): BarTable {
  const column = (name: keyof RawBar) => Float64Array.from(bars, (bar) => bar[name] as number);
  return {
    timestamps: column('timestamp'),
    columns: {
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
      volume: column('volume'),
    },
  };
}

async function bundledBars(symbol: string): Promise<BarTable> {
  const query = { symbols: [symbol], adjustment: 'split', session: 'regular', start: 0, end: Infinity } as const;
  const http = { getJson: () => assert.fail('nothing leaves this machine') };
  const page = await createBundledProvider().bulk?.fetchDays(query, null, http);
  return tableOf(page?.bars.get(symbol) ?? []);
}

function difference(ours: number | null, theirs: number | null): number {
  if (ours === null || theirs === null) return ours === theirs ? 0 : Number.POSITIVE_INFINITY;
  return ours === theirs ? 0 : Math.abs(ours - theirs) / Math.max(Math.abs(ours), Math.abs(theirs));
}

test('the golden file has every field, and rows of both symbols', () => {
  assert.deepEqual(fields, [...SCREENER_FIELDS]);
  assert.ok(rows.length > 40 && new Set(rows.map(({ symbol }) => symbol)).size === 2);
});

for (const symbol of ['^GSPC', 'AAPL']) {
  test(`the numbers of ${symbol} are those of TTR`, async (context) => {
    const bars = await bundledBars(symbol);
    let largest = 0;
    for (const { session, numbers } of rows.filter((row) => row.symbol === symbol)) {
      const bar = bars.timestamps.indexOf(Date.parse(session));
      const ours = metricsOf(bars, bar);
      for (const [i, field] of fields.entries()) {
        const found = difference(ours[field], numbers[i] ?? null);
        largest = Math.max(largest, found);
        assert.ok(found <= MAX_DIFFERENCE, `${field} at ${session}: ${ours[field]}, not ${numbers[i]}`);
      }
    }
    context.diagnostic(`largest relative difference ${largest.toExponential(1)}`);
  });

  test(`the bars of ${symbol} that a run reads give the numbers that all bars give`, async () => {
    const all = await bundledBars(symbol);
    for (const bar of [500, 777, 1_000, 1_259]) {
      const from = bar + 1 - SESSIONS_READ;
      const columns = Object.fromEntries(
        Object.entries(all.columns).map(([name, values]) => [name, values.slice(from, bar + 1)]),
      ) as unknown as BarTable['columns'];
      const [few, many] = [metricsOf({ columns }, SESSIONS_READ - 1), metricsOf(all, bar)];
      for (const field of SCREENER_FIELDS) assert.ok(difference(few[field], many[field]) <= MAX_DIFFERENCE, field);
    }
  });
}

test('what is not defined is null, not a number', () => {
  const still = Array.from({ length: 260 }, (_, i) => ({
    timestamp: i,
    open: 5,
    high: 5,
    low: 5,
    close: 5,
    volume: 0,
  }));
  const { rsi_14, rel_volume, atr_14, change_pct, pct_from_52w_high, volume } = metricsOf(tableOf(still), 259);
  assert.deepEqual(
    { rsi_14, rel_volume, atr_14, change_pct, pct_from_52w_high, volume },
    { rsi_14: null, rel_volume: null, atr_14: 0, change_pct: 0, pct_from_52w_high: 0, volume: 0 },
  );
});
