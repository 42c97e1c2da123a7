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

test('accepts columns in any order and columns that are not read, of any length', async () => {
  const text = [
    'COMPILATION,OBS_VALUE,TIME_PERIOD,NEW,CURRENCY,FREQ,KEY',
    `${'x'.repeat(100_000)},1.5,2024-01-02,"a,b",USD,D,EXR.D.USD`,
    ',2.5,2024-01-03,,USD,D,EXR.D.USD',
  ].join('\n');
  for (const dimensions of [null, { FREQ: 'D', CURRENCY: 'USD' }]) {
    const reply = await readDataReply(text, { flow: 'EXR', key: 'D.USD', dimensions });
    assert.deepEqual(reply?.observations, [
      { instant: Date.UTC(2024, 0, 2), value: 1.5, flag: undefined },
      { instant: Date.UTC(2024, 0, 3), value: 2.5, flag: undefined },
    ]);
    const other = readDataReply(text.replace('EXR.D.USD', 'EXR.D.JPY'), { flow: 'EXR', key: 'D.USD', dimensions });
    await assert.rejects(other, isMalformed);
  }
  assert.equal(await readDataReply(text, { flow: 'EXR', key: 'D', dimensions: null }), null);
  assert.equal(await readDataReply(text, { flow: 'EXR', key: 'D.USD.EUR', dimensions: null }), null);
});

test('accepts a new column between the dimensions and the period', async () => {
  const text = HEADER.replace('FREQ,', 'FREQ,NEW,');
  assert.equal((await readDataReply(`${text}EST.B,B,,2024-01-02,1,,\n`, SERIES))?.observations.length, 1);
});

test('cuts long comments and cleans them, and refuses long values', async () => {
  const comment = `"a\u0000b\n${'x'.repeat(100_000)}"`;
  const reply = await readDataReply(`${HEADER}EST.B,B,2024-01-02,1,A,${comment}\n`, SERIES);
  assert.deepEqual(reply?.comments, [`a b ${'x'.repeat(1_996)}`]);
  const value = `0.${'0'.repeat(2_000)}`;
  await assert.rejects(readDataReply(`${HEADER}EST.B,B,2024-01-02,${value},A,\n`, SERIES), isMalformed);
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
