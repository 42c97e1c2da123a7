import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { NO_REQUESTS } from '../../../test/support/platform/no-requests.ts';
import { sessionsBetween } from '../../calendar/index.ts';
import { SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import { type BarTable, createBundledProvider, type RawBar } from '../../market/index.ts';
import { computeMetrics, computeMetricsRow, MAX_SESSIONS_READ } from './compute-metrics.ts';

const MAX_DIFFERENCE = 1e-9;

const goldenLines = readFileSync(new URL('../../../test/screener/ttr/ttr.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const [, , ...fields] = (goldenLines[0] as string).split(',') as ScreenerField[];
const rows = goldenLines.slice(1).map((line) => {
  const [symbol = '', session = '', ...cells] = line.split(',');
  return { symbol, session, numbers: cells.map((cell) => (cell === '' ? null : Number(cell))) };
});

function toBarTable(bars: readonly RawBar[]): BarTable {
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

async function readBundledBars(symbol: string): Promise<BarTable> {
  const query = { symbols: [symbol], adjustment: 'split', start: 0, end: Infinity } as const;
  const { bulk } = createBundledProvider();
  assert.ok(bulk?.by === 'symbols');
  const page = await bulk.fetchDays(query, null, NO_REQUESTS);
  return toBarTable(page.bars.get(symbol) ?? []);
}

function relativeDifference(ours: number | null, theirs: number | null): number {
  if (ours === null || theirs === null) return ours === theirs ? 0 : Number.POSITIVE_INFINITY;
  return ours === theirs ? 0 : Math.abs(ours - theirs) / Math.max(Math.abs(ours), Math.abs(theirs));
}

test('covers every field and both symbols in the golden file', () => {
  assert.deepEqual(fields, [...SCREENER_FIELDS]);
  assert.ok(rows.length > 40 && new Set(rows.map(({ symbol }) => symbol)).size === 2);
});

for (const symbol of ['^GSPC', 'AAPL']) {
  test(`computes the metrics of ${symbol} as TTR does`, async (context) => {
    const bars = await readBundledBars(symbol);
    let largest = 0;
    for (const { session, numbers } of rows.filter((row) => row.symbol === symbol)) {
      const bar = bars.timestamps.indexOf(Date.parse(session));
      const ours = computeMetrics(bars, bar);
      for (const [i, field] of fields.entries()) {
        const difference = relativeDifference(ours[field], numbers[i] ?? null);
        largest = Math.max(largest, difference);
        assert.ok(difference <= MAX_DIFFERENCE, `${field} at ${session}: ${ours[field]}, not ${numbers[i]}`);
      }
    }
    context.diagnostic(`largest relative difference ${largest.toExponential(1)}`);
  });

  test(`computes the same metrics of ${symbol} from the bars that a run reads as from all bars`, async () => {
    const all = await readBundledBars(symbol);
    for (const bar of [500, 777, 1_000, 1_259]) {
      const from = bar + 1 - MAX_SESSIONS_READ;
      const columns = Object.fromEntries(
        Object.entries(all.columns).map(([name, values]) => [name, values.slice(from, bar + 1)]),
      ) as unknown as BarTable['columns'];
      const [fromFew, fromAll] = [computeMetrics({ columns }, MAX_SESSIONS_READ - 1), computeMetrics(all, bar)];
      for (const field of SCREENER_FIELDS)
        assert.ok(relativeDifference(fromFew[field], fromAll[field]) <= MAX_DIFFERENCE, field);
    }
  });
}

test('returns null for undefined metrics', () => {
  const constantBars = Array.from({ length: 260 }, (_, i) => ({
    timestamp: i,
    open: 5,
    high: 5,
    low: 5,
    close: 5,
    volume: 0,
  }));
  const { rsi_14, rel_volume, atr_14, change_pct, pct_from_52w_high, volume } = computeMetrics(
    toBarTable(constantBars),
    259,
  );
  assert.deepEqual(
    { rsi_14, rel_volume, atr_14, change_pct, pct_from_52w_high, volume },
    { rsi_14: null, rel_volume: null, atr_14: 0, change_pct: 0, pct_from_52w_high: 0, volume: 0 },
  );
});

const SESSIONS = sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 2, 28));
const LAST = SESSIONS.at(-1) as number;

/** Bars whose close rises by one per session. */
function makeRisingBars(timestamps: Float64Array): BarTable {
  const close = timestamps.map((_, i) => 100 + i);
  const columns = { open: close, high: close.map((c) => c + 1), low: close.map((c) => c - 1), close, volume: close };
  return { timestamps, columns };
}

test('computes a row with the metrics of the session and of the previous one, and recent closes', () => {
  const bars = makeRisingBars(SESSIONS);
  const row = computeMetricsRow(bars, LAST);
  const bar = SESSIONS.length - 1;
  for (const field of SCREENER_FIELDS) {
    assert.equal(row?.[field], computeMetrics(bars, bar)[field]);
    assert.equal(row?.[`previous_${field}`], computeMetrics(bars, bar - 1)[field]);
  }
  assert.deepEqual(row?.recent_closes, Array.from(bars.columns.close.slice(-30)));
});

test('ignores bars after the session', () => {
  const earlier = SESSIONS.at(-5) as number;
  assert.deepEqual(
    computeMetricsRow(makeRisingBars(SESSIONS), earlier),
    computeMetricsRow(makeRisingBars(SESSIONS.slice(0, -4)), earlier),
  );
});

test('returns no row without a bar of the session, and no previous metrics without a previous bar', () => {
  assert.equal(computeMetricsRow(makeRisingBars(SESSIONS.slice(0, -1)), LAST), null);
  const row = computeMetricsRow(makeRisingBars(SESSIONS.filter((day) => day !== SESSIONS.at(-2))), LAST);
  assert.ok(row !== null && row.close !== null && row.change_pct !== null);
  for (const field of SCREENER_FIELDS) assert.equal(row[`previous_${field}`], null);
});

test('computes only close and volume at the first bar', () => {
  const { recent_closes, ...numbers } =
    computeMetricsRow(makeRisingBars(SESSIONS), SESSIONS[0] as number) ?? assert.fail();
  assert.deepEqual(recent_closes, [100]);
  const defined = Object.entries(numbers).filter(([, value]) => value !== null);
  assert.deepEqual(Object.fromEntries(defined), { close: 100, volume: 100 });
});
