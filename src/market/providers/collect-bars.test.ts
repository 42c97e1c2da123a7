import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STOCKS } from '../../../test/support/market/stocks.ts';
import { NO_REQUESTS } from '../../../test/support/platform/no-requests.ts';
import { sessionsBetween } from '../../calendar/index.ts';
import { collectBars } from './collect-bars.ts';
import type { BarPage, MarketProvider, PageQuery, RawBar } from './provider.ts';

const DAYS = [...sessionsBetween(Date.UTC(2024, 0, 1), Date.UTC(2024, 11, 31))];
const NOW = Date.UTC(2025, 5, 2);

const QUERY: PageQuery = {
  symbol: 'KNOWN',
  frequency: '1D',
  adjustment: 'raw',
  side: 'trade',
  end: NOW,
  limit: 50,
};

function bar(timestamp: unknown): RawBar {
  return { timestamp, open: 10, high: 12, low: 9, close: 11, volume: 1_000 };
}

/** Returns the bars of a range of the listed days. */
function days(from: number, to: number): RawBar[] {
  return DAYS.slice(from, to).map(bar);
}

/** Creates a provider whose pages `pageOf` returns by number. */
function paged(pageOf: (page: number) => BarPage): { provider: MarketProvider; requested: (string | null)[] } {
  const requested: (string | null)[] = [];
  const provider: MarketProvider = {
    id: 'example',
    requestsPerMinute: null,
    ...STOCKS,
    frequencies: ['1D'],
    fetchPage: async (_query, token) => {
      requested.push(token);
      return pageOf(requested.length - 1);
    },
  };
  return { provider, requested };
}

/** Ten bars a page, from the end of the year backwards. */
function correctPage(page: number): BarPage {
  const end = DAYS.length - 10 * page;
  return { bars: days(Math.max(0, end - 10), end), olderToken: end > 10 ? `before-${end - 10}` : null };
}

const collect = (provider: MarketProvider, query: Partial<PageQuery> = {}) =>
  collectBars(provider, { ...QUERY, ...query }, { http: NO_REQUESTS, at: NOW });

async function assertLoop(pageOf: (page: number) => BarPage, pages: number): Promise<void> {
  const { provider, requested } = paged(pageOf);
  await assert.rejects(collect(provider, { limit: 50_000 }), { name: 'ProviderError', fault: 'PAGE_LOOP' });
  assert.equal(requested.length, pages);
}

test('reads pages until there are enough bars', async () => {
  const { provider, requested } = paged(correctPage);
  const { bars, dropped, reachedStart } = await collect(provider, { limit: 25 });
  assert.deepEqual([...bars.timestamps], DAYS.slice(-25));
  assert.deepEqual([requested.length, requested[0], dropped, reachedStart], [3, null, {}, false]);
});

test('reads pages until no older page is left', async () => {
  const { provider } = paged(correctPage);
  const all = await collect(provider, { limit: 1_000 });
  assert.deepEqual([all.bars.timestamps.length, all.reachedStart], [DAYS.length, true]);
  const exact = await collect(paged(correctPage).provider, { limit: DAYS.length });
  assert.deepEqual([exact.bars.timestamps.length, exact.reachedStart], [DAYS.length, true]);
  const cut = await collect(paged(() => ({ bars: days(0, 10), olderToken: null })).provider, { limit: 9 });
  assert.deepEqual([cut.bars.timestamps.length, cut.reachedStart], [9, false], 'the limit excluded an older bar');
});

test('stops at a page that lies entirely before the start', async () => {
  const { provider, requested } = paged(correctPage);
  const { bars, dropped, reachedStart } = await collect(provider, { start: DAYS.at(-15) });
  assert.deepEqual([bars.timestamps.length, requested.length, reachedStart], [15, 3, true]);
  assert.deepEqual(dropped, { outside_the_request: 15 });
});

test('does not count invalid rows toward the limit', async () => {
  const { provider } = paged((page) => {
    const { bars, olderToken } = correctPage(page);
    return { bars: bars.map((row, index) => (index % 5 === 0 ? { ...row, open: null } : row)), olderToken };
  });
  const { bars, dropped } = await collect(provider, { limit: 20 });
  assert.deepEqual([bars.timestamps.length, dropped], [20, { not_a_number: 6 }]);
});

test('a reply in which more than a tenth of the rows are invalid is malformed', async () => {
  const collectRows = (rows: readonly RawBar[], query: Partial<PageQuery> = {}) =>
    collect(paged(() => ({ bars: rows, olderToken: null })).provider, { limit: 1_000, ...query });
  const damaged = (count: number, all: number, change: object) =>
    days(0, all).map((row, i) => (i % 2 === 1 && i < 2 * count ? { ...row, ...change } : row));
  const failure = { name: 'ProviderError', fault: 'MALFORMED', message: /too many invalid rows/ };
  for (const change of [{ open: null }, { low: 0 }, { volume: 1e16 }, { high: 1e5 }, { timestamp: 'yesterday' }]) {
    const name = JSON.stringify(change);
    await assert.rejects(collectRows(damaged(4, 39, change)), failure, name);
    assert.equal((await collectRows(damaged(4, 40, change))).bars.timestamps.length, 36, name);
    assert.equal((await collectRows(damaged(2, 5, change))).bars.timestamps.length, 3, 'two rows never fail a reply');
  }
  const contradictory = [...days(0, 10), ...days(0, 2).map((row) => ({ ...row, close: 10.5 }))];
  await assert.rejects(collectRows(contradictory), failure);
  // A correct reply can have rows that are repeated, of closed days, of other periods and of days that have not ended.
  const saturdays = [6, 13, 20, 27].map((day) => bar(Date.UTC(2024, 0, day)));
  const normal = [...days(0, 10), ...days(0, 10), ...saturdays, ...days(20, 30)];
  assert.equal((await collectRows(normal, { end: DAYS[20] as number })).bars.timestamps.length, 10);
  await assert.rejects(
    collectRows([...damaged(3, 20, { low: 0 }), ...days(20, 100)], { end: DAYS[20] as number }),
    failure,
    'rows outside the request are not judged',
  );
});

test('accepts overlapping pages', async () => {
  const { provider, requested } = paged((page) => {
    const end = DAYS.length - 5 * page;
    return { bars: days(end - 10, end), olderToken: `before-${end}` };
  });
  const { bars, dropped } = await collect(provider, { limit: 20 });
  assert.deepEqual([...bars.timestamps], DAYS.slice(-20));
  assert.deepEqual([requested.length, dropped], [3, { duplicate: 10 }]);
});

test('skips up to twenty empty pages in a row', async () => {
  const sparse = paged((page) => {
    if (page % 21 < 20) return { bars: [], olderToken: `page-${page}` };
    return { bars: [bar(DAYS.at(-1 - page))], olderToken: page === 62 ? null : `page-${page}` };
  });
  assert.equal((await collect(sparse.provider)).bars.timestamps.length, 3);
  await assertLoop((page) => ({ bars: [], olderToken: `page-${page}` }), 21);
});

test('reports a loop when a token repeats', async () => {
  await assertLoop((page) => ({ ...correctPage(page), olderToken: ['a', 'b', 'a'][page] ?? null }), 3);
});

test('reports a loop when pages do not get older, also between empty ones', async () => {
  await assertLoop((page) => ({ bars: days(10, 20), olderToken: `page-${page}` }), 3);
  await assertLoop((page) => ({ bars: page % 2 === 0 ? days(10, 20) : [], olderToken: `page-${page}` }), 5);
  const { provider } = paged((page) => ({
    ...correctPage(page === 0 ? 0 : page - 1),
    olderToken: page === 5 ? null : `${page}`,
  }));
  assert.equal((await collect(provider)).bars.timestamps.length, 50, 'a single repetition is allowed');
});

test('reads at most a thousand pages', async () => {
  await assertLoop((page) => ({ bars: [bar(DAYS[0] ?? 0), bar(-page)], olderToken: `page-${page}` }), 1_000);
});

test('rejects with the reason of an abort', async () => {
  const controller = new AbortController();
  const reason = new Error('the caller disconnected');
  const { provider, requested } = paged((page) => {
    if (page === 1) controller.abort(reason);
    return correctPage(page);
  });
  await assert.rejects(collectBars(provider, QUERY, { http: NO_REQUESTS, at: NOW, signal: controller.signal }), reason);
  assert.equal(requested.length, 2);
});
