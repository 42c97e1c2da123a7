import assert from 'node:assert/strict';
import { test } from 'node:test';
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
