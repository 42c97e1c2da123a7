import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../calendar/index.ts';
import { ProviderError } from '../../../platform/index.ts';
import { readDataReply } from './ecb-data-reply.ts';

const SERIES = { flow: 'EST', key: 'B', dimensions: null };
const HEADER = 'KEY,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,COMMENT_OBS\r\n';
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';

test('reads a daily series of 25 years in steps, and lets other work run', async () => {
  const rows = Array.from({ length: 9_000 }, (_, day) => {
    return `EST.B,B,${new Date(day * DAY_MS).toISOString().slice(0, 10)},${day / 8},,\r\n`;
  });
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  const reply = await readDataReply(HEADER + rows.join(''), SERIES);
  assert.ok(hasRun);
  assert.equal(reply?.observations.length, rows.length);
  assert.ok(reply.observations.every(({ instant, value }, day) => instant === day * DAY_MS && value === day / 8));
});

test('refuses more than 100,000 rows', async () => {
  const text = `${HEADER}${'EST.B,B,2024-01-02,1,,\r\n'.repeat(100_001)}`;
  await assert.rejects(readDataReply(text, SERIES), isMalformed);
});

test('keeps each comment once', async () => {
  const rows = [
    'EST.B,B,2024-01-02,1,A,Revised\r\n',
    'EST.B,B,2024-01-03,1,A, Revised\r\n',
    'EST.B,B,2024-01-04,1,A,\r\n',
  ];
  assert.deepEqual((await readDataReply(HEADER + rows.join(''), SERIES))?.comments, ['Revised']);
});

test('reads lines that end with LF, and values in each notation', async () => {
  const values = { 1: 1, '-0.5': -0.5, '1.0E-4': 0.0001, '3.68E6': 3_680_000, NaN: Number.NaN, '': Number.NaN };
  for (const [cell, value] of Object.entries(values)) {
    const reply = await readDataReply(`${HEADER}EST.B,B,2024-01-02,${cell},P,\n`.replaceAll('\r', ''), SERIES);
    assert.deepEqual(reply?.observations, [{ instant: Date.UTC(2024, 0, 2), value, flag: 'P' }]);
  }
});

test('returns no observations of a frequency that is not offered', async () => {
  const reply = await readDataReply(`${HEADER}EST.N,N,2024-01-02T10:15,1,A,\n`, { ...SERIES, key: 'N' });
  assert.deepEqual([reply?.frequency, reply?.observations], [{ unsupported: 'minutely' }, []]);
});
