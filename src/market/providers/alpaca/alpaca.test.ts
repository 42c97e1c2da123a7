import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlpacaServerOptions, startAlpacaServer } from '../../../../test/support/market/alpaca-server.ts';
import { createHistory, parseDay } from '../../../../test/support/market/market-history.ts';
import { sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { MINUTE_MS } from '../../../calendar/index.ts';
import { createProviderClient, ProviderError } from '../../../platform/index.ts';
import { collectBars } from '../collect-bars.ts';
import type { DaysBySymbols, ListedInstrument, PageQuery, RawBar } from '../provider.ts';
import { createAlpacaProvider } from './alpaca-provider.ts';

/** Friday, 2024-03-08, 12:00 in New York. */
const NOON = Date.UTC(2024, 2, 8, 17);
const ACME = createHistory({ symbol: 'ACME', from: '2024-02-20', to: '2024-03-08', minutesFrom: '2024-03-07' });

interface Scene extends AsyncDisposable {
  readonly server: Awaited<ReturnType<typeof startAlpacaServer>>;
  readonly provider: ReturnType<typeof createAlpacaProvider>;
  now: number;
  collect(query?: Partial<PageQuery>): ReturnType<typeof collectBars>;
  client(): ReturnType<typeof createProviderClient>;
}

async function start(
  options: Partial<AlpacaServerOptions> = {},
  settings: Partial<Parameters<typeof createAlpacaProvider>[0]> = {},
): Promise<Scene> {
  const clock = () => scene.now;
  const server = await startAlpacaServer({ histories: [ACME], clock, keyId: 'id', secret: 'secret', ...options });
  const provider = createAlpacaProvider({
    keyId: 'id',
    secret: 'secret',
    url: server.url,
    tradingUrl: server.url,
    requestsPerMinute: 200,
    clock: { now: () => new Date(scene.now) },
    ...settings,
  });
  const client = () => createProviderClient({ provider: 'alpaca', gate: null, random: () => 0 });
  const scene: Scene = {
    server,
    provider,
    now: NOON,
    client,
    collect: (query) =>
      collectBars(
        provider,
        {
          symbol: 'ACME',
          frequency: '1min',
          adjustment: 'raw',
          side: 'trade',
          end: scene.now,
          limit: 100,
          ...query,
        },
        { http: client(), at: scene.now },
      ),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return scene;
}

async function readListing({ provider, client }: Scene): Promise<ListedInstrument[]> {
  const listed: ListedInstrument[] = [];
  for await (const batch of provider.readListing?.(client()) ?? []) listed.push(...batch);
  return listed;
}

function bulkOf({ provider }: Scene): DaysBySymbols {
  assert.equal(provider.bulk?.by, 'symbols');
  return provider.bulk;
}

async function readDays(scene: Scene, symbols: readonly string[], start: number, end: number) {
  const bars = new Map<string, RawBar[]>();
  for (let token: string | null = null; ; ) {
    const query = { symbols, adjustment: 'raw', start, end } as const;
    const page = await bulkOf(scene).fetchDays(query, token, scene.client());
    for (const [symbol, rows] of page.bars) bars.set(symbol, [...(bars.get(symbol) ?? []), ...rows]);
    token = page.nextToken;
    if (token === null) return bars;
  }
}

test('requests older bars if the plan does not include the last 15 minutes, and remembers it', async () => {
  await using scene = await start({ plan: 'delayed' });
  assert.equal(scene.provider.delayMinutes, 0);
  const { bars } = await scene.collect();
  assert.equal(bars.timestamps.at(-1), NOON - 17 * MINUTE_MS, 'the last minute that ended 16 minutes ago');
  assert.deepEqual([scene.server.requests.length, scene.provider.delayMinutes], [2, 15]);
  await scene.collect();
  assert.equal(scene.server.requests.length, 3, 'the plan is known');
  // The half hour that contains 11:44 is not complete, although it would be in the reply.
  const halfHours = await scene.collect({ frequency: '30min' });
  assert.equal(halfHours.bars.timestamps.at(-1), Date.UTC(2024, 2, 8, 16));
  await scene.collect({ start: NOON - 5 * MINUTE_MS }).then(({ bars }) => assert.equal(bars.timestamps.length, 0));
});

test('reads the last minutes if the plan includes them, in the feed of the settings', async () => {
  await using recent = await start();
  const { bars } = await recent.collect();
  assert.equal(bars.timestamps.at(-1), NOON - MINUTE_MS);
  assert.equal(recent.server.requests[0]?.query.feed, undefined, 'the best feed of the plan');
  await using iex = await start({ plan: 'delayed' }, { feed: 'iex' });
  const one = await iex.collect();
  assert.equal(one.bars.timestamps.at(-1), NOON - MINUTE_MS);
  assert.ok((one.bars.columns.volume[0] ?? 0) < (bars.columns.volume[0] ?? 0), 'the volume of one exchange');
  assert.equal(iex.provider.delayMinutes, 0);
  await using otc = await start({}, { feed: 'otc' });
  await assert.rejects(otc.collect(), { fault: 'FORBIDDEN' });
});

test('returns the daily bar 16 minutes after the close unless recent data is included', async () => {
  const close = Date.UTC(2024, 2, 8, 21);
  const lastDay = async (scene: Scene, minutes: number) => {
    scene.now = close + minutes * MINUTE_MS;
    return new Date((await scene.collect({ frequency: '1D' })).bars.timestamps.at(-1) ?? 0).toISOString().slice(0, 10);
  };
  await using scene = await start({ plan: 'delayed' });
  assert.equal(await lastDay(scene, 1), '2024-03-07');
  assert.equal(await lastDay(scene, 16), '2024-03-08');
  assert.equal(scene.provider.delayMinutes, 0, 'no request was refused');
  await using recent = await start();
  await recent.collect();
  assert.equal(await lastDay(recent, 1), '2024-03-08');
});

test('distinguishes a wrong key from a plan without the data', async () => {
  await using scene = await start({}, { secret: 'wrong' });
  await assert.rejects(scene.collect(), { fault: 'UNAUTHORIZED' });
  await assert.rejects(readListing(scene), { fault: 'UNAUTHORIZED' });
  const day = parseDay('2024-03-04');
  await assert.rejects(readDays(scene, ['ACME'], day, day + 1), { fault: 'UNAUTHORIZED' });
});

test('has no series for a symbol that Alpaca calls invalid', async () => {
  await using scene = await start();
  await assert.rejects(scene.collect({ symbol: 'TOOLONG' }), (error) => {
    return error instanceof ProviderError && error.fault === 'NOT_FOUND';
  });
});

test('drops rows whose time does not exist or is not that of a day', async () => {
  await using scene = await start();
  const valid = { t: '2024-03-04T05:00:00Z', o: 1, h: 1, l: 1, c: 1, v: 1 };
  const times = [
    '2024-02-30T05:00:00Z',
    '2024-03-04T24:00:00Z',
    '2024-03-05T04:00:00Z',
    '2024-03-05T05:00:00.5Z',
    '2024-03-05T05:00:00+00:00',
    '2024-03-05',
    1_709_614_800_000,
    null,
  ];
  for (const t of times) {
    const bars = [valid, { ...valid, t }];
    scene.server.script.push(sendJson({ symbol: 'ACME', bars, next_page_token: null }));
    const collected = await scene.collect({ frequency: '1D' });
    assert.deepEqual([...collected.bars.timestamps], [parseDay('2024-03-04')]);
    assert.deepEqual(collected.dropped, { bad_timestamp: 1 }, String(t));
  }
});

test('requests the company that has the symbol today, whatever the period', async () => {
  const before = createHistory({ symbol: 'ACME', from: '2020-01-02', to: '2021-03-01', price: 5 });
  const histories = [{ ...before, ownedUntil: parseDay('2021-03-01') }, ACME];
  await using scene = await start({ histories });
  const { bars } = await scene.collect({ frequency: '1D', limit: 10_000 });
  assert.equal(bars.timestamps[0], parseDay('2024-02-20'), 'the bars of the other company are left out');
  const old = await scene.collect({ frequency: '1D', end: parseDay('2021-01-01') });
  assert.equal(old.bars.timestamps.length, 0);
  assert.deepEqual([...new Set(scene.server.requests.map(({ query }) => query.asof))], ['2024-03-08']);
});

test('continues a request with its own parameters when time has passed', async () => {
  await using scene = await start({ plan: 'delayed', pageRows: 10 });
  scene.server.script.push((_request, _response, answer) => answer());
  const query = { symbol: 'ACME', frequency: '1min', adjustment: 'raw', side: 'trade', limit: 100 } as const;
  const page = await scene.provider.fetchPage({ ...query, end: NOON }, null, scene.client());
  assert.ok(page.olderToken);
  scene.now += 12 * 60 * MINUTE_MS;
  await scene.provider.fetchPage({ ...query, end: NOON }, page.olderToken, scene.client());
  const [first, second] = scene.server.requests.slice(-2).map(({ query: { page_token: _, ...rest } }) => rest);
  assert.deepEqual(second, first);
});

test('reads the days of many symbols in pages', async () => {
  const histories = Array.from({ length: 30 }, (_, i) => {
    const symbol = `S${String.fromCharCode(65 + i / 26, 65 + (i % 26))}`;
    return createHistory({ symbol, from: '2024-02-20', to: '2024-03-08', seed: i });
  });
  await using scene = await start({ histories, pageRows: 100 });
  const [from, to] = [parseDay('2024-02-21'), parseDay('2024-03-08')];
  const symbols = [...histories.map(({ symbol }) => symbol), 'NONE'];
  const bars = await readDays(scene, symbols, from, to);
  assert.deepEqual(
    [...bars].map(([symbol, rows]) => [symbol, rows]),
    histories.map(({ symbol, days }) => [symbol, days.slice(1, -1)]),
  );
  assert.equal(scene.server.requests.length, Math.ceil((30 * 12) / 100));
});

test('reads the days of the other symbols if one is invalid', async () => {
  await using scene = await start();
  const [from, to] = [parseDay('2024-03-04'), parseDay('2024-03-05')];
  const bars = await readDays(scene, ['ACME', 'TOOLONG', 'LONGEST'], from, to);
  assert.deepEqual([...bars.keys()], ['ACME']);
  assert.equal(scene.server.requests.length, 3);
  await readDays(scene, ['ACME', 'TOOLONG'], from, to);
  assert.equal(scene.server.requests.length, 4, 'invalid symbols are not sent again');
  assert.equal((await readDays(scene, ['TOOLONG'], from, to)).size, 0);
  scene.server.script.push(sendJson({ message: 'invalid symbol: OTHER' }, 400));
  await assert.rejects(readDays(scene, ['ACME'], from, to), { fault: 'REJECTED' });
});

test('refuses days of a symbol that was not requested', async () => {
  await using scene = await start();
  scene.server.script.push(sendJson({ bars: { OTHER: [] }, next_page_token: null }));
  await assert.rejects(readDays(scene, ['ACME'], parseDay('2024-03-04'), parseDay('2024-03-05')), {
    fault: 'MALFORMED',
  });
});

test('lists assets with their exchange, aliases and status', async () => {
  const day = { from: '2024-03-04', to: '2024-03-04' };
  const histories = [
    createHistory({ symbol: 'BRK.B', name: 'Berkshire Hathaway Inc. Class B', exchange: 'NYSE', ...day }),
    createHistory({ symbol: 'SPY', exchange: 'ARCA', ...day }),
    createHistory({ symbol: 'OVER', exchange: 'OTC', ...day }),
    createHistory({ symbol: 'USED', name: 'The company of today', ...day }),
    createHistory({ symbol: 'USED', name: 'The company before', status: 'delisted', ...day }),
    createHistory({ symbol: 'GONE', name: ' ', status: 'delisted', exchange: 'AMEX', ...day }),
    createHistory({ symbol: '123ABC456', status: 'delisted', ...day }),
  ];
  await using scene = await start({ histories });
  const listed = await readListing(scene);
  const rest = { aliases: [], class: 'stock', units: 'USD', status: 'active' };
  assert.deepEqual(listed, [
    {
      ...rest,
      symbol: 'BRK.B',
      name: 'Berkshire Hathaway Inc. Class B',
      aliases: ['BRK-B', 'BRK/B'],
      exchange: 'NYSE',
    },
    { ...rest, symbol: 'SPY', name: 'SPY Inc. Common Stock', exchange: 'NYSE Arca' },
    { ...rest, symbol: 'USED', name: 'The company of today', exchange: 'NASDAQ' },
    { ...rest, symbol: 'GONE', name: 'GONE', exchange: 'NYSE American', status: 'delisted' },
  ]);
  await using otc = await start({ histories }, { feed: 'otc' });
  assert.deepEqual(
    (await readListing(otc)).map(({ symbol }) => symbol),
    ['OVER'],
  );
});

test('reports a listing that is refused, cut or of another kind, while bars still work', async () => {
  await using scene = await start();
  const asset = { class: 'us_equity', status: 'active', symbol: 'ACME', name: 'Acme', exchange: 'NYSE' };
  const valid = JSON.stringify([asset]);
  for (const [reply, fault] of [
    [sendJson({ message: 'refused' }, 403), 'FORBIDDEN'],
    [sendText(valid.slice(0, -1)), 'MALFORMED'],
    [sendText('<html>'), 'MALFORMED'],
    [sendText('{}'), 'MALFORMED'],
    [sendJson([asset, null]), 'MALFORMED'],
    [sendJson([{ ...asset, symbol: 7 }]), 'MALFORMED'],
    [sendJson([{ ...asset, class: 'crypto' }]), 'MALFORMED'],
    [sendJson([{ ...asset, status: 'inactive' }]), 'MALFORMED'],
  ] as const) {
    scene.server.script.push(reply);
    await assert.rejects(readListing(scene), { fault });
  }
  assert.ok((await scene.collect()).bars.timestamps.length > 0);
});

test('lists twenty thousand assets in batches of at most 2,000', async () => {
  const assets = Array.from({ length: 20_000 }, (_, i) => {
    const symbol = [i / 17_576, i / 676, i / 26, i].map((n) => String.fromCharCode(65 + (Math.floor(n) % 26))).join('');
    return { id: `${i}`, class: 'us_equity', exchange: 'NYSE', symbol, name: `Company "${i}" [x]`, status: 'active' };
  });
  await using scene = await start();
  scene.server.script.push(sendJson(assets), sendJson([]));
  let listed = 0;
  for await (const batch of scene.provider.readListing?.(scene.client()) ?? []) {
    assert.ok(batch.length <= 2_000);
    listed += batch.length;
  }
  assert.equal(listed, assets.length);
});
