import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ADAPTER_SCENES,
  type AdapterScene,
  type RunningScene,
  type SceneOptions,
  type SceneRow,
  seriesOf,
} from '../../../test/support/market/adapter-scenes.ts';
import type { HistoryBar } from '../../../test/support/market/market-history.ts';
import {
  cutBody,
  endlessBody,
  type Reply,
  sendAnswer,
  sendHtml,
  sendJson,
  sendText,
  stallBody,
} from '../../../test/support/platform/wire-server.ts';
import { DAY_MS, fixedStep } from '../../calendar/index.ts';
import { createProviderClient, ProviderError, type ProviderFault } from '../../platform/index.ts';
import { BAR_COLUMNS, type BarTable } from '../bars.ts';
import { collectBars } from './collect-bars.ts';
import type { PageQuery } from './provider.ts';

// What every adapter does, whatever its protocol: a fault ends in a named error or in dropped rows.

interface Run {
  readonly scene: AdapterScene;
  readonly running: RunningScene;
}

/** Registers a test for each adapter, with a server of its own. */
function forEachAdapter(name: string, work: (run: Run) => Promise<void>, options: SceneOptions = {}): void {
  for (const scene of ADAPTER_SCENES) {
    test(`${scene.name}: ${name}`, async () => {
      await using running = await scene.start(options);
      await work({ scene, running });
    });
  }
}

function collect({ scene, running }: Run, query: Partial<PageQuery> = {}, deadline = Date.now() + 60_000) {
  const { provider, now } = running;
  const http = createProviderClient({ provider: provider.id, gate: null, random: () => 0, deadline });
  const series = seriesOf(scene, running, query);
  return collectBars(provider, { end: now, limit: 10_000, ...query, ...series }, { http, at: now });
}

function rowsOf({ timestamps, columns }: BarTable): HistoryBar[] {
  return Array.from(timestamps, (timestamp, row) => {
    const bar = Object.fromEntries(BAR_COLUMNS.map((name) => [name, columns[name][row]]));
    return { timestamp, ...bar } as unknown as HistoryBar;
  });
}

async function assertFault(
  run: Run,
  replies: readonly Reply[],
  fault: ProviderFault,
  deadline?: number,
): Promise<void> {
  run.running.server.script.push(...replies);
  await assert.rejects(collect(run, {}, deadline), (error) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.fault, fault);
    assertDiscreet(run.running, error);
    return true;
  });
  run.running.server.script.length = 0;
}

/** Checks that an error contains neither a key nor any part of a reply or address. */
function assertDiscreet({ secrets }: RunningScene, error: Error): void {
  const text = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  for (const hidden of [...secrets, 'REPLY', '127.0.0.1']) assert.ok(!text.includes(hidden), `${hidden}: ${text}`);
}

/** Replaces the rows of the first reply, and returns the bars that were collected. */
async function collectRows(run: Run, rows: readonly SceneRow[]): Promise<HistoryBar[]> {
  run.running.server.script.push(sendText(run.running.encode(seriesOf(run.scene, run.running), rows)));
  const { bars } = await collect(run, { start: rows[0]?.timestamp as number });
  return rowsOf(bars);
}

const four = (reply: Reply): Reply[] => [reply, reply, reply, reply];

forEachAdapter('returns the latest bars of every frequency', async (run) => {
  for (const frequency of run.running.provider.frequencies) {
    const all = run.running.bars(seriesOf(run.scene, run.running, { frequency }));
    assert.ok(all.length > 20, `${frequency} has bars`);
    for (const limit of [1, 7, all.length, all.length + 1]) {
      const { bars, dropped, reachedStart } = await collect(run, { frequency, limit });
      assert.deepEqual(rowsOf(bars), all.slice(-limit), `${limit} bars of ${frequency}`);
      assert.deepEqual(dropped, {});
      assert.equal(reachedStart, limit >= all.length, `${limit} of ${all.length} bars of ${frequency}`);
    }
  }
});

forEachAdapter('requests exactly the bars from start to end', async (run) => {
  for (const frequency of run.running.provider.frequencies) {
    const all = run.running.bars(seriesOf(run.scene, run.running, { frequency }));
    const step = fixedStep(frequency) as number;
    const [first, last] = [all[5] as HistoryBar, all[15] as HistoryBar];
    for (const [start, end] of [
      [first.timestamp, last.timestamp],
      [first.timestamp + 1, last.timestamp + 1],
      [first.timestamp - 1, last.timestamp - 1],
      [first.timestamp, first.timestamp + 1],
      [first.timestamp, first.timestamp + step],
    ] as const) {
      const { bars, dropped } = await collect(run, { frequency, start, end });
      const expected = all.filter(({ timestamp }) => timestamp >= start && timestamp < end);
      assert.deepEqual(rowsOf(bars), expected, `${frequency} from ${start} to ${end}`);
      assert.deepEqual(dropped, {}, 'no other bars were requested');
    }
  }
});

forEachAdapter(
  'reads all pages',
  async (run) => {
    for (const frequency of run.running.provider.frequencies) {
      const all = run.running.bars(seriesOf(run.scene, run.running, { frequency })).slice(-200);
      run.running.server.requests.length = 0;
      const { bars, dropped } = await collect(run, { frequency, limit: all.length });
      assert.deepEqual(rowsOf(bars), all, frequency);
      assert.deepEqual(dropped, {});
      if (run.scene.namesOlder) assert.ok(run.running.server.requests.length > 1, 'several pages were read');
    }
  },
  { pageRows: 40 },
);

forEachAdapter('reports pages that form a loop', async (run) => {
  if (!run.scene.namesOlder) return;
  const key = seriesOf(run.scene, run.running);
  const page = run.running.encode(key, run.running.bars(key).slice(-5), { hasOlder: true });
  await assertFault(run, Array(30).fill(sendText(page)), 'PAGE_LOOP');
  const empty = run.running.encode(key, [], { hasOlder: true });
  await assertFault(run, Array(30).fill(sendText(empty)), 'PAGE_LOOP');
});

forEachAdapter('has no bars for an unknown symbol', async (run) => {
  const { unknownSymbol: symbol, unknownFault: fault } = run.scene;
  if (fault !== null) await assert.rejects(collect(run, { symbol }), { fault });
  else assert.equal((await collect(run, { symbol })).bars.timestamps.length, 0);
});

forEachAdapter('returns no bars for a period without trading', async (run) => {
  const [saturday, sunday] = [Date.UTC(2024, 1, 10), Date.UTC(2024, 1, 11)];
  const { bars, reachedStart } = await collect(run, { frequency: '1min', start: saturday, end: sunday });
  assert.deepEqual([bars.timestamps.length, reachedStart], [0, true]);
});

forEachAdapter('serves each adjustment and each price side', async (run) => {
  const { provider } = run.running;
  const seen = new Set<string>();
  for (const adjustment of provider.adjustments) {
    for (const side of provider.sides) {
      const { bars } = await collect(run, { adjustment, side });
      const expected = run.running.bars(seriesOf(run.scene, run.running, { adjustment, side }));
      assert.deepEqual(rowsOf(bars), expected, `${adjustment} ${side}`);
      seen.add(JSON.stringify(expected));
    }
  }
  const differing = provider.serves === 'stocks' ? provider.adjustments.length : provider.sides.length;
  assert.equal(seen.size, differing, 'the series differ');
});

forEachAdapter('reports a wrong key and a plan without the data, and does not repeat the request', async (run) => {
  const { requests } = run.running.server;
  await assertFault(run, [sendJson({ message: 'REPLY' }, 401)], 'UNAUTHORIZED');
  await assertFault(run, [sendJson({ message: 'REPLY: upgrade your plan' }, 403)], 'FORBIDDEN');
  await assertFault(run, [sendJson({ message: 'REPLY' }, 422)], 'REJECTED');
  assert.equal(requests.length, 3);
});

forEachAdapter('waits after 429, with and without Retry-After', async (run) => {
  const tooMany = (headers?: Record<string, string>) => sendJson({ message: 'REPLY' }, 429, headers);
  run.running.server.script.push(tooMany(), tooMany({ 'retry-after': '0' }), sendAnswer);
  assert.ok((await collect(run)).bars.timestamps.length > 0);
  await assertFault(run, four(tooMany()), 'RATE_LIMITED');
  await assertFault(run, [tooMany({ 'retry-after': '600' })], 'RATE_LIMITED');
});

forEachAdapter('reports HTML, cut, endless and slow bodies', async (run) => {
  await assertFault(run, four(sendHtml), 'MALFORMED');
  await assertFault(run, four(cutBody), 'TRUNCATED');
  await assertFault(run, [endlessBody], 'TOO_LARGE');
  await assertFault(run, four(stallBody), 'TIMEOUT', Date.now() + 300);
  await assertFault(run, four(sendJson({ message: 'REPLY' }, 500)), 'UNAVAILABLE');
});

forEachAdapter('reports replies of another shape', async (run) => {
  for (const reply of [
    null,
    7,
    'REPLY',
    [],
    {},
    { message: 'REPLY' },
    { status: 'OK' },
    { bars: 'REPLY', results: 7 },
  ]) {
    await assertFault(run, four(sendJson(reply)), 'MALFORMED');
  }
});

forEachAdapter('follows no redirect', async (run) => {
  await assertFault(run, four(sendText('', 302, { location: 'http://127.0.0.1:1/' })), 'MALFORMED');
});

forEachAdapter('accepts rows in any order and the same row twice, unless rows depend on each other', async (run) => {
  const key = seriesOf(run.scene, run.running);
  const rows = run.running.bars(key).slice(-20);
  assert.deepEqual(await collectRows(run, rows), rows);
  const repeated = [rows[0], rows[0], ...rows.slice(1)] as HistoryBar[];
  const unsorted = [...rows.slice(0, 5), ...rows.slice(12), ...rows.slice(5, 12)];
  for (const sent of [repeated, unsorted]) {
    if (run.scene.isOrdered) await assertFault(run, [sendText(run.running.encode(key, sent))], 'MALFORMED');
    else assert.deepEqual(await collectRows(run, sent), rows);
  }
});

forEachAdapter('accepts pages that overlap', async (run) => {
  if (!run.scene.namesOlder) return;
  const key = seriesOf(run.scene, run.running);
  const rows = run.running.bars(key).slice(-30);
  const latest = run.running.encode(key, rows.slice(15), { hasOlder: true });
  run.running.server.script.push(sendText(latest), sendText(run.running.encode(key, rows.slice(0, 20))));
  const { bars, dropped } = await collect(run, { start: rows[0]?.timestamp });
  assert.deepEqual(rowsOf(bars), rows);
  assert.deepEqual(dropped, { duplicate: 5 });
});

forEachAdapter('drops rows that contradict each other', async (run) => {
  if (run.scene.isOrdered) return;
  const rows = run.running.bars(seriesOf(run.scene, run.running)).slice(-10);
  const [row, ...others] = rows as [HistoryBar, ...HistoryBar[]];
  const other = { ...row, high: row.high * 2, close: row.high * 2 };
  assert.deepEqual(await collectRows(run, [row, other, ...others]), others);
});

forEachAdapter('drops rows of the future and of other times', async (run) => {
  const rows = run.running.bars(seriesOf(run.scene, run.running)).slice(-10);
  const last = rows.at(-1) as HistoryBar;
  const moved = [3, 4, 400].map((days) => ({ ...last, timestamp: last.timestamp + days * DAY_MS }));
  assert.deepEqual(await collectRows(run, [...rows, ...moved]), rows);
});

forEachAdapter('drops rows with absurd prices', async (run) => {
  const rows = run.running.bars(seriesOf(run.scene, run.running)).slice(-10);
  const absurd: ((row: HistoryBar) => SceneRow)[] = [
    (row) => ({ ...row, open: -row.open, high: -row.high, low: -row.low, close: -row.close }),
    (row) => ({ ...row, low: 0 }),
    (row) => ({ ...row, high: row.low / 2 }),
    (row) => ({ ...row, close: row.high * 10 }),
    (row) => ({ ...row, volume: -1 }),
  ];
  for (const change of absurd) {
    const damaged = rows.map((row, i) => (i === 3 ? change(row) : row));
    assert.deepEqual(await collectRows(run, damaged), rows.toSpliced(3, 1));
  }
});

forEachAdapter('reports bars of another symbol', async (run) => {
  if (!run.scene.namesSymbol) return;
  const key = seriesOf(run.scene, run.running);
  const reply = run.running.encode(key, run.running.bars(key), { symbol: 'REPLY' });
  await assertFault(run, [sendText(reply)], 'MALFORMED');
});

forEachAdapter(
  'does not return the bar of a period that has not ended',
  async (run) => {
    for (const frequency of run.running.provider.frequencies) {
      const expected = run.running.bars(seriesOf(run.scene, run.running, { frequency }));
      const end = run.running.now + 2 * DAY_MS;
      const { bars } = await collect(run, { frequency, end });
      assert.deepEqual(rowsOf(bars).slice(-20), expected.slice(-20), frequency);
    }
  },
  { now: Date.UTC(2024, 2, 15, 17, 10, 30) },
);

forEachAdapter('sends keys in headers only', async (run) => {
  await collect(run);
  const [request] = run.running.server.requests;
  assert.ok(request);
  for (const secret of run.running.secrets) {
    assert.ok(!JSON.stringify([request.path, request.query]).includes(secret));
    assert.ok(JSON.stringify(request.headers).includes(secret));
    assert.ok(!inspect(run.running.provider, { depth: 10, showHidden: true }).includes(secret));
  }
});
