import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  correctPage,
  loopbackAdapter,
  sendText,
  startLoopbackProvider,
  type WireBar,
} from '../../../test/support/market/loopback-provider.ts';
import { mutateReply, pick } from '../../../test/support/market/mutate-reply.ts';
import { isMostlyInvalid, isPage, type ValidRow, validRows } from '../../../test/support/market/valid-rows.ts';
import { createSeededRandom, type Random } from '../../../test/support/platform/seeded-random.ts';
import { sessionsBetween } from '../../calendar/index.ts';
import {
  createProviderClient,
  type ProviderClientOptions,
  ProviderError,
  type ProviderFault,
} from '../../platform/index.ts';
import { BAR_COLUMNS, type BarTable } from '../bars.ts';
import { collectBars } from './collect-bars.ts';
import type { MarketProvider, PageQuery } from './provider.ts';

const COUNT = Number(process.env.ALMANAC_MUTATED_REPLIES ?? 2_000);
const OVER_HTTP = 50;

/** During a session, so that the last bar is not complete. */
const NOW = Date.UTC(2024, 2, 7, 15);
const PAGE_SIZE = 8;
const PAGES = ['', 'older-1', 'older-2'];
const BARS = [...sessionsBetween(Date.UTC(2024, 1, 2), Date.UTC(2024, 2, 7))].map((day, place): WireBar => {
  const t = new Date(day).toISOString().replace('.000Z', 'Z');
  return { t, o: 10.25 + place, h: 12.5 + place, l: 9.125 + place, c: 11 + place, v: 1_000 * place };
});

/** Returns three correct pages, some of them damaged. */
function damagedPages(random: Random): Buffer[] {
  const pages = PAGES.map((_token, page) => {
    const end = BARS.length - page * PAGE_SIZE;
    const text = correctPage(BARS, PAGE_SIZE, String(end));
    return text.replace(/"next_page_token":.*/, `"next_page_token":${JSON.stringify(PAGES[page + 1] ?? null)}}`);
  });
  const damaged = Math.floor(random() * pages.length);
  return pages.map((text, page) => {
    return page === damaged || random() < 0.2 ? mutateReply(random, text) : Buffer.from(text);
  });
}

/** Returns the page of a token; a damaged token leads to any page. */
function pageOf(pages: readonly Buffer[], token: string): Buffer {
  const known = PAGES.indexOf(token);
  return pages[known === -1 ? token.length % pages.length : known] ?? Buffer.alloc(0);
}

function queryOf(random: Random): PageQuery {
  return {
    symbol: 'KNOWN',
    frequency: '1D',
    adjustment: 'raw',
    side: 'trade',
    start: pick(random, [undefined, undefined, Date.UTC(2024, 1, 12)]),
    end: pick(random, [NOW, Date.UTC(2024, 2, 1)]),
    limit: pick(random, [1_000, 1_000, 10]),
  };
}

function rowsOf({ timestamps, columns }: BarTable): ValidRow[] {
  return [...timestamps].map((timestamp, row) => [timestamp, ...BAR_COLUMNS.map((name) => columns[name][row] ?? NaN)]);
}

interface Case {
  readonly adapter: MarketProvider;
  readonly query: PageQuery;
  /** The replies of the provider in order; grows while bars are collected. */
  readonly sent: Buffer[];
  readonly http: Partial<ProviderClientOptions>;
}

/** Collects bars, compares them with those of a second parser, and returns how the collection ended. */
async function check({ adapter, query, sent, http }: Case): Promise<'all' | 'some' | ProviderFault> {
  const client = createProviderClient({
    provider: adapter.id,
    gate: null,
    random: () => 0,
    ...http,
  });
  const wanted = { ...query, session: 'regular' } as const;
  try {
    const { bars, dropped } = await collectBars(adapter, query, { http: client, at: NOW });
    const pages = sent.filter(isPage);
    assert.deepEqual(rowsOf(bars), validRows(pages, wanted, NOW).slice(-query.limit));
    assert.ok(!pages.some((page) => isMostlyInvalid(page, wanted, NOW)), 'a mostly invalid reply was accepted');
    return Object.keys(dropped).length === 0 ? 'all' : 'some';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.fault === 'MALFORMED') {
      const last = sent.at(-1);
      assert.ok(!isPage(last) || isMostlyInvalid(last, wanted, NOW), 'a valid reply was refused');
    }
    return error.fault;
  }
}

function describeCase(seed: number, sent: readonly Buffer[]): string {
  return `case ${seed} sent ${sent.map((bytes) => bytes.toString('latin1').slice(0, 2_000)).join('\n')}`;
}

test(`returns only rows that were sent and never crashes on ${COUNT} mutated replies`, {
  timeout: 600_000,
}, async () => {
  const endings = new Map<string, number>();
  for (let seed = 0; seed < COUNT; seed++) {
    const random = createSeededRandom(seed);
    const pages = damagedPages(random);
    const sent: Buffer[] = [];
    const request: ProviderClientOptions['request'] = async (url) => {
      const bytes = pageOf(pages, new URL(url).searchParams.get('page_token') ?? '');
      sent.push(bytes);
      return { status: 200, headers: new Headers(), bytes };
    };
    const adapter = loopbackAdapter('http://loopback');
    const sleep = async () => {};
    try {
      const ending = await check({ adapter, query: queryOf(random), sent, http: { request, sleep } });
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
    } catch (error) {
      throw new Error(describeCase(seed, sent), { cause: error });
    }
  }
  assert.deepEqual([...endings.keys()].sort(), ['MALFORMED', 'PAGE_LOOP', 'all', 'some'], 'every ending occurs');
});

test(`does the same for ${OVER_HTTP} mutated replies over HTTP`, { timeout: 120_000 }, async () => {
  await using loopback = await startLoopbackProvider({ bars: [], pageSize: PAGE_SIZE });
  for (let seed = 0; seed < OVER_HTTP; seed++) {
    const random = createSeededRandom(seed);
    const pages = damagedPages(random);
    const sent: Buffer[] = [];
    loopback.script.length = 0;
    for (let request = 0; request < 100; request++) {
      loopback.script.push((incoming, response) => {
        const token = new URL(incoming.url ?? '/', loopback.url).searchParams.get('page_token') ?? '';
        const bytes = pageOf(pages, token);
        sent.push(bytes);
        sendText(bytes)(incoming, response);
      });
    }
    await check({ adapter: loopback.adapter, query: queryOf(random), sent, http: {} }).catch((error: unknown) => {
      throw new Error(describeCase(seed, sent), { cause: error });
    });
  }
});
