import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInlineRunner, createModels } from '../../src/engine/index.ts';
import { parseSeriesFile } from '../accuracy/series-file.ts';
import { ENTRIES, forecastEntry, requestFor } from './entries.ts';

const runner = { ...createInlineRunner(createModels({})), forget: () => {} };

function windowOf(line: string, first?: string) {
  const [series] = parseSeriesFile(line, { missingActuals: true });
  assert.ok(series);
  return { ...series, window: 1, first };
}

test('missing periods are left out, and the others keep their real dates', () => {
  const { request, skipped } = requestFor(windowOf('a;DAILY;1;2;NA,5,NA,NA,7;NA,1', '1996-03-18'));
  assert.deepEqual([...Array.from(request.values)], [5, 7]);
  assert.deepEqual(
    Array.from(request.timestamps, (time) => new Date(time).toISOString().slice(0, 10)),
    ['1996-03-19', '1996-03-22'],
  );
  assert.equal(request.horizon, 2);
  assert.equal(skipped, 0);
});

test('the horizon counts from the last period, even if its value is missing', async () => {
  const line = (history: string) => windowOf(`a;MONTHLY;12;3;${history};1,1,1`);
  const { request, skipped } = requestFor(line('1,2,3,NA,NA'));
  assert.equal(request.horizon, 5);
  assert.equal(skipped, 2);
  // A line that rises by one each month. The first step after two missing months is the sixth value.
  const rising = Array.from({ length: 40 }, (_, i) => i + 1);
  const rows = await forecastEntry('ets', line(`${rising},NA,NA`), runner);
  assert.equal(rows.length, 3);
  assert.ok(Math.abs((rows[0]?.[4] ?? 0) - 43) < 0.1, `${rows[0]?.[4]}`);
});

test('every entry gives nine ascending quantiles for each step', async () => {
  const values = Array.from({ length: 48 }, (_, i) => (i === 20 ? 'NA' : String(50 + (i % 12) + ((i * 7) % 5))));
  const series = windowOf(`a;MONTHLY;12;4;${values};1,1,1,1`);
  for (const entry of ENTRIES.filter((one) => one === 'auto' || runner.models.includes(one))) {
    const rows = await forecastEntry(entry, series, runner);
    assert.equal(rows.length, 4, entry);
    for (const row of rows)
      assert.deepEqual(
        [...row],
        [...row].sort((a, b) => a - b),
        entry,
      );
  }
});

test('an entry without a forecast gives the reason', async () => {
  await assert.rejects(forecastEntry('auto', windowOf('a;MONTHLY;12;1;NA,NA,NA;1'), runner), /at least 3 rows/);
  await assert.rejects(forecastEntry('toto', windowOf('a;MONTHLY;12;1;1,2,3,4;1'), runner), /toto/);
});
