import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionsBetween } from '../../calendar/index.ts';
import { SCREENER_FIELDS } from '../../contract/index.ts';
import type { BarTable } from '../../market/index.ts';
import { metricsOf } from './metrics-of.ts';
import { metricsRow } from './metrics-row.ts';

const SESSIONS = sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 2, 28));
const LAST = SESSIONS.at(-1) as number;

function rising(timestamps: Float64Array): BarTable {
  const close = timestamps.map((_, i) => 100 + i);
  const columns = { open: close, high: close.map((c) => c + 1), low: close.map((c) => c - 1), close, volume: close };
  return { timestamps, columns };
}

test('a row has the numbers of a session, those of the one before, and the latest closes', () => {
  const bars = rising(SESSIONS);
  const row = metricsRow(bars, LAST);
  const bar = SESSIONS.length - 1;
  for (const field of SCREENER_FIELDS) {
    assert.equal(row?.[field], metricsOf(bars, bar)[field]);
    assert.equal(row?.[`previous_${field}`], metricsOf(bars, bar - 1)[field]);
  }
  assert.deepEqual(row?.recent_closes, Array.from(bars.columns.close.slice(-30)));
});

test('bars after the session are not looked at', () => {
  const earlier = SESSIONS.at(-5) as number;
  assert.deepEqual(metricsRow(rising(SESSIONS), earlier), metricsRow(rising(SESSIONS.slice(0, -4)), earlier));
});

test('without a bar of the session there is no row; without one of the session before, nothing can have crossed', () => {
  assert.equal(metricsRow(rising(SESSIONS.slice(0, -1)), LAST), null);
  const row = metricsRow(rising(SESSIONS.filter((day) => day !== SESSIONS.at(-2))), LAST);
  assert.ok(row !== null && row.close !== null && row.change_pct !== null);
  for (const field of SCREENER_FIELDS) assert.equal(row[`previous_${field}`], null);
});

test('the first bar has a close and a volume, and nothing that looks back', () => {
  const { recent_closes, ...numbers } = metricsRow(rising(SESSIONS), SESSIONS[0] as number) ?? assert.fail();
  assert.deepEqual(recent_closes, [100]);
  const known = Object.entries(numbers).filter(([, value]) => value !== null);
  assert.deepEqual(Object.fromEntries(known), { close: 100, volume: 100 });
});
