import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { instrument, published } from '../../../test/support/market/search-entries.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { createSeriesSearch } from './search-series.ts';

const EVERYTHING = { query: '', limit: 10, offset: 0 };

function recordingLog() {
  const lines: unknown[] = [];
  return { lines, warn: (...line: unknown[]) => void lines.push(line[0]) };
}

function source(type: ListedSeries['source']['type'], ...answers: (readonly ListedSeries[] | Error)[]) {
  const fake = {
    type,
    calls: 0,
    async list() {
      const answer = answers[Math.min(fake.calls++, answers.length - 1)] ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return fake;
}

test('lists the sources once, on the first search, even when searches are concurrent', async () => {
  const market = source('market', [instrument('AAPL', 'Apple Inc.')]);
  const economic = source('economic_series', [published('GDP', 'Gross domestic product')]);
  const index = createSeriesSearch([market, economic], recordingLog());
  assert.equal(market.calls, 0);
  const found = await Promise.all([index.search(EVERYTHING), index.search({ ...EVERYTHING, query: 'apple' })]);
  assert.deepEqual(
    found.map(({ total }) => total),
    [2, 1],
  );
  await index.search(EVERYTHING);
  assert.deepEqual([market.calls, economic.calls], [1, 1]);
});

test('logs a source that fails, searches the others, and retries it later', async () => {
  const log = recordingLog();
  const failure = new Error('no connection');
  const market = source('market', failure, failure, [instrument('AAPL', 'Apple Inc.')]);
  const economic = source('economic_series', [published('GDP', 'Gross domestic product')]);
  let time = 0;
  const index = createSeriesSearch([market, economic], log, { now: () => time, retryAfterMs: 1000 });
  const total = async (): Promise<number> => (await index.search(EVERYTHING)).total;
  assert.equal(await total(), 1);
  assert.deepEqual(log.lines, [{ err: failure, source: 'market' }]);
  time = 999;
  assert.equal(await total(), 1);
  assert.equal(market.calls, 1);
  time = 1000;
  assert.equal(await total(), 1);
  assert.equal(log.lines.length, 2);
  time = 2000;
  assert.equal(await total(), 2);
  time = 9000;
  assert.equal(await total(), 2);
  assert.deepEqual([market.calls, economic.calls], [3, 1]);
});

test('treats a list that throws synchronously as failed', async () => {
  const log = recordingLog();
  const broken = {
    type: 'market' as const,
    list: () => {
      throw new Error('broken');
    },
  };
  assert.equal((await createSeriesSearch([broken], log).search(EVERYTHING)).total, 0);
  assert.equal(log.lines.length, 1);
});

test('loads a list again when its version changes, and searches the earlier entries meanwhile', async () => {
  const listed = [instrument('AAPL', 'Apple Inc.')];
  const gate = { open: Promise.withResolvers<void>() };
  gate.open.resolve();
  let [version, lists, checks] = ['1', 0, 0];
  const market = {
    type: 'market' as const,
    async list() {
      lists++;
      await gate.open.promise;
      return [...listed];
    },
    async listVersion() {
      checks++;
      return version;
    },
  };
  let time = 0;
  const log = recordingLog();
  const economic = source('economic_series', [published('GDP', 'Gross domestic product')]);
  const index = createSeriesSearch([market, economic], log, { now: () => time, checkAfterMs: 100 });
  const total = async (): Promise<number> => (await index.search(EVERYTHING)).total;
  assert.equal(await total(), 2);
  time = 99;
  assert.equal(await total(), 2);
  assert.equal(checks, 1);
  time = 100;
  assert.equal(await total(), 2);
  await settle();
  assert.deepEqual([lists, checks], [1, 2], 'the version is the same');

  listed.push(instrument('TSLA', 'Tesla'));
  version = '2';
  gate.open = Promise.withResolvers();
  time = 200;
  assert.equal(await total(), 2, 'the search does not wait');
  await settle();
  time = 400;
  assert.equal(await total(), 2);
  assert.deepEqual([lists, checks], [2, 3], 'only one load at a time');
  gate.open.resolve();
  while ((await total()) === 2) await settle();
  assert.equal(await total(), 3);
  assert.equal(economic.calls, 1);
  assert.deepEqual(log.lines, []);
});

test('keeps the earlier entries if a changed list cannot be loaded', async () => {
  const answers: (() => string)[] = [() => '1', () => assert.fail('no connection'), () => '2'];
  const market = source('market', [instrument('AAPL', 'Apple Inc.')], new Error('no connection'), [
    instrument('AAPL', 'Apple Inc.'),
    instrument('TSLA', 'Tesla'),
  ]);
  const versioned = Object.assign(market, {
    listVersion: async () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? '',
  });
  let time = 0;
  const log = recordingLog();
  const index = createSeriesSearch([versioned], log, { now: () => time, checkAfterMs: 100 });
  const totalAfter = async (milliseconds: number): Promise<number> => {
    time += milliseconds;
    await index.search(EVERYTHING);
    await settle();
    return (await index.search(EVERYTHING)).total;
  };
  assert.equal(await totalAfter(0), 1);
  assert.equal(await totalAfter(100), 1, 'the version could not be read');
  assert.equal(await totalAfter(100), 1, 'the list could not be read');
  assert.equal(log.lines.length, 2);
  assert.equal(await totalAfter(100), 2);
});

/** Lets work in the background continue. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
