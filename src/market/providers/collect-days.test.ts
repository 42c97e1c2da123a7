import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_REQUESTS } from '../../../test/support/platform/no-requests.ts';
import { HOUR_MS, sessionsBetween } from '../../calendar/index.ts';
import { collectDays } from './collect-days.ts';
import type { BulkProvider, DaysPage, DaysQuery, RawBar } from './provider.ts';

const DAYS = [...sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 12))];
const QUERY: DaysQuery = {
  symbols: ['A', 'B'],
  adjustment: 'split',
  start: DAYS[0] as number,
  end: Date.UTC(2024, 0, 13),
};

function bar(timestamp: unknown, close = 11): RawBar {
  return { timestamp, open: 10, high: 12, low: 9, close, volume: 1_000 };
}

function collect(pageOf: (page: number) => DaysPage, at = Date.UTC(2024, 1, 1), signal?: AbortSignal) {
  const tokens: (string | null)[] = [];
  const fetchDays: BulkProvider['bulk']['fetchDays'] = async (_query, token) => {
    tokens.push(token);
    return pageOf(tokens.length - 1);
  };
  const provider = {
    id: 'example',
    kindOf: () => 'exchange',
    bulk: { by: 'symbols', maxSymbols: 100, fetchDays },
  } as unknown as BulkProvider;
  return { tokens, collected: collectDays(provider, QUERY, { http: NO_REQUESTS, at, signal }) };
}

const page = (bars: Record<string, RawBar[]>, next: string | null = null): DaysPage => ({
  bars: new Map(Object.entries(bars)),
  nextToken: next,
});

test('combines the pages of a query by symbol, oldest first', async () => {
  const [first, second, third] = DAYS as [number, number, number];
  const pages = [page({ A: [bar(second)] }, 'two'), page({ A: [bar(first)], B: [bar(third)] }, 'three'), page({})];
  const { tokens, collected } = collect((number) => pages[number] as DaysPage);
  const days = await collected;
  assert.deepEqual(tokens, [null, 'two', 'three']);
  assert.deepEqual([...days.keys()], ['A', 'B']);
  assert.deepEqual([...(days.get('A')?.timestamps ?? [])], [first, second]);
});

test('checks rows like any other bars and omits a symbol without a valid one', async () => {
  const [first, second, third] = DAYS as [number, number, number];
  const saturday = Date.UTC(2024, 0, 6);
  const bars = {
    A: [bar(first), bar(second, 13), bar(saturday), bar('2024-01-05'), bar(third), bar(third, 10)],
    B: [bar(first, Number.NaN)],
  };
  const days = await collect(() => page(bars)).collected;
  assert.deepEqual([...(days.get('A')?.timestamps ?? [])], [first]);
  assert.equal(days.has('B'), false);
});

test('drops absurd rows', async () => {
  const [first, second, third, fourth] = DAYS as [number, number, number, number];
  const bars = {
    A: [bar(first), { ...bar(second), high: 5_000 }, bar(third), { ...bar(fourth), volume: 1e308 }],
    B: [{ ...bar(first), high: 1e300 }],
  };
  const days = await collect(() => page(bars)).collected;
  assert.deepEqual([...(days.get('A')?.timestamps ?? [])], [first, third]);
  assert.equal(days.has('B'), false);
});

test('drops a bar that may still change or was not requested', async () => {
  const [first, second] = DAYS as [number, number];
  const bars = { A: [bar(Date.UTC(2023, 11, 29)), bar(first), bar(second)] };
  const duringSecond = second + 20 * HOUR_MS;
  const days = await collect(() => page(bars), duringSecond).collected;
  assert.deepEqual([...(days.get('A')?.timestamps ?? [])], [first]);
});

test('fails on a symbol that was not requested and on pages that repeat or never end', async () => {
  const foreign = collect(() => page({ C: [bar(DAYS[0])] }));
  await assert.rejects(foreign.collected, { name: 'ProviderError', fault: 'MALFORMED' });
  const circle = collect((number) => page({}, number % 2 === 0 ? 'one' : 'two'));
  await assert.rejects(circle.collected, { name: 'ProviderError', fault: 'PAGE_LOOP' });
  assert.equal(circle.tokens.length, 3);
  const endless = collect((number) => page({}, String(number)));
  await assert.rejects(endless.collected, { name: 'ProviderError', fault: 'PAGE_LOOP' });
});

test('rejects between pages with the reason of an abort', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { tokens, collected } = collect(
    (number) => {
      controller.abort(reason);
      return page({}, String(number));
    },
    undefined,
    controller.signal,
  );
  await assert.rejects(collected, reason);
  assert.equal(tokens.length, 1);
});
