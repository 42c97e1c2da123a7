import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionsBetween } from '../../calendar/index.ts';
import type { BarQuery } from '../bars.ts';
import { collectBars } from './collect-bars.ts';
import type { BarPage, MarketProvider, RawBar } from './provider.ts';

const DAYS = [...sessionsBetween(Date.UTC(2024, 0, 1), Date.UTC(2024, 11, 31))];
const NOW = Date.UTC(2025, 5, 2);
const http = { getJson: () => assert.fail('nobody asks') };

const QUERY: BarQuery = {
  symbol: 'KNOWN',
  frequency: '1D',
  adjustment: 'raw',
  session: 'regular',
  priceSide: 'bid',
  end: NOW,
  limit: 50,
};

function bar(timestamp: unknown): RawBar {
  return { timestamp, open: 10, high: 12, low: 9, close: 11, volume: 1_000 };
}

/** Bars of the days from one place to another in the list of days. */
function days(from: number, to: number): RawBar[] {
  return DAYS.slice(from, to).map(bar);
}

/** A provider whose pages `pageOf` makes, by their number. */
function paged(pageOf: (page: number) => BarPage): { provider: MarketProvider; asked: (string | null)[] } {
  const asked: (string | null)[] = [];
  const provider: MarketProvider = {
    id: 'example',
    requestsPerMinute: null,
    frequencies: ['1D'],
    kind: 'exchange',
    refuses: () => null,
    fetchPage: async (_query, token) => {
      asked.push(token);
      return pageOf(asked.length - 1);
    },
    describe: async () => null,
  };
  return { provider, asked };
}

/** Ten bars a page, from the end of the year backwards. */
function honestPage(page: number): BarPage {
  const end = DAYS.length - 10 * page;
  return { bars: days(Math.max(0, end - 10), end), older: end > 10 ? `before-${end - 10}` : null };
}

const collect = (provider: MarketProvider, query: Partial<BarQuery> = {}) =>
  collectBars(provider, { ...QUERY, ...query }, { http, at: NOW });

async function assertLoop(pageOf: (page: number) => BarPage, pages: number): Promise<void> {
  const { provider, asked } = paged(pageOf);
  await assert.rejects(collect(provider, { limit: 50_000 }), { name: 'ProviderError', fault: 'PAGE_LOOP' });
  assert.equal(asked.length, pages);
}

test('pages are read until there are enough', async () => {
  const { provider, asked } = paged(honestPage);
  const { bars, dropped, reachedStart } = await collect(provider, { limit: 25 });
  assert.deepEqual([...bars.timestamps], DAYS.slice(-25));
  assert.deepEqual([asked.length, asked[0], dropped, reachedStart], [3, null, {}, false]);
});

test('or until there are no older ones', async () => {
  const { provider } = paged(honestPage);
  const all = await collect(provider, { limit: 1_000 });
  assert.deepEqual([all.bars.timestamps.length, all.reachedStart], [DAYS.length, true]);
  const exactly = await collect(paged(honestPage).provider, { limit: DAYS.length });
  assert.deepEqual([exactly.bars.timestamps.length, exactly.reachedStart], [DAYS.length, true]);
  const cut = await collect(paged(() => ({ bars: days(0, 10), older: null })).provider, { limit: 9 });
  assert.deepEqual([cut.bars.timestamps.length, cut.reachedStart], [9, false], 'the limit cut off an older one');
});

test('pages that lie wholly before the start are the last', async () => {
  const { provider, asked } = paged(honestPage);
  const { bars, dropped, reachedStart } = await collect(provider, { start: DAYS.at(-15) });
  assert.deepEqual([bars.timestamps.length, asked.length, reachedStart], [15, 3, true]);
  assert.deepEqual(dropped, { outside_the_request: 15 });
});

test('bad rows do not count towards the limit', async () => {
  const { provider } = paged((page) => {
    const { bars, older } = honestPage(page);
    return { bars: bars.map((row, place) => (place % 2 === 0 ? { ...row, open: null } : row)), older };
  });
  const { bars, dropped } = await collect(provider, { limit: 20 });
  assert.deepEqual([bars.timestamps.length, dropped], [20, { not_a_number: 20 }]);
});

test('pages may overlap', async () => {
  const { provider, asked } = paged((page) => {
    const end = DAYS.length - 5 * page;
    return { bars: days(end - 10, end), older: `before-${end}` };
  });
  const { bars, dropped } = await collect(provider, { limit: 20 });
  assert.deepEqual([...bars.timestamps], DAYS.slice(-20));
  assert.deepEqual([asked.length, dropped], [3, { duplicate: 10 }]);
});

test('empty pages are passed over, up to twenty in a row', async () => {
  const quietTimes = paged((page) => {
    if (page % 21 < 20) return { bars: [], older: `page-${page}` };
    return { bars: [bar(DAYS.at(-1 - page))], older: page === 62 ? null : `page-${page}` };
  });
  assert.equal((await collect(quietTimes.provider)).bars.timestamps.length, 3);
  await assertLoop((page) => ({ bars: [], older: `page-${page}` }), 21);
});

test('a token that came before is a circle', async () => {
  await assertLoop((page) => ({ ...honestPage(page), older: ['a', 'b', 'a'][page] ?? null }), 3);
});

test('pages that get no older are a circle, even between empty ones', async () => {
  await assertLoop((page) => ({ bars: days(10, 20), older: `page-${page}` }), 3);
  await assertLoop((page) => ({ bars: page % 2 === 0 ? days(10, 20) : [], older: `page-${page}` }), 5);
  const { provider } = paged((page) => ({
    ...honestPage(page === 0 ? 0 : page - 1),
    older: page === 5 ? null : `${page}`,
  }));
  assert.equal((await collect(provider)).bars.timestamps.length, 50, 'a single repetition is allowed');
});

test('a thousand pages are the most', async () => {
  await assertLoop((page) => ({ bars: [bar(DAYS[0] ?? 0), bar(-page)], older: `page-${page}` }), 1_000);
});

test('an abort ends it', async () => {
  const controller = new AbortController();
  const reason = new Error('the caller went away');
  const { provider, asked } = paged((page) => {
    if (page === 1) controller.abort(reason);
    return honestPage(page);
  });
  await assert.rejects(collectBars(provider, QUERY, { http, at: NOW, signal: controller.signal }), reason);
  assert.equal(asked.length, 2);
});
