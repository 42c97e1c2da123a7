import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import {
  ADAPTER_SCENES,
  type AdapterScene,
  type RunningScene,
  type SceneRow,
  seriesOf,
} from '../../../test/support/market/adapter-scenes.ts';
import { mutateJson } from '../../../test/support/market/mutate-json.ts';
import { mutateReply, pick } from '../../../test/support/market/mutate-reply.ts';
import { createSeededRandom, type Random } from '../../../test/support/platform/seeded-random.ts';
import type { BarFrequency } from '../../calendar/index.ts';
import { createProviderClient, OutboundError, ProviderError } from '../../platform/index.ts';
import { BAR_COLUMNS, type BarTable } from '../bars.ts';
import { checkBars } from '../check-bars.ts';
import { collectBars } from './collect-bars.ts';
import type { PageQuery } from './provider.ts';

const COUNT = Number(process.env.ALMANAC_MUTATED_REPLIES ?? 300);

/** The correct replies of a server by address, so that each is requested once. */
type Replies = Map<string, { readonly status: number; readonly text: string }>;

async function readReply(replies: Replies, url: string, headers: Record<string, string>) {
  const known = replies.get(url);
  if (known !== undefined) return known;
  const reply = await fetch(url, { headers });
  const read = { status: reply.status, text: await reply.text() };
  replies.set(url, read);
  return read;
}

function queryOf(random: Random, scene: AdapterScene, running: RunningScene): PageQuery {
  const frequency = pick<BarFrequency>(random, ['1D', '1D', ...running.provider.frequencies]);
  return {
    ...seriesOf(scene, running, { frequency, adjustment: pick(random, running.provider.adjustments) }),
    start: pick(random, [undefined, Date.UTC(2024, 0, 20), Date.UTC(2024, 2, 14)]),
    end: pick(random, [running.now, Date.UTC(2024, 2, 15)]),
    limit: pick(random, [5, 30, 60]),
  };
}

interface Case {
  readonly query: PageQuery;
  /** The successful replies in order; grows while bars are collected. */
  readonly sent: string[];
}

/** Collects bars from damaged replies and returns how that ended. */
async function collectDamaged(running: RunningScene, random: Random, replies: Replies, { query, sent }: Case) {
  const { provider, now } = running;
  const damaged = new Map<string, Buffer>();
  const http = createProviderClient({
    provider: provider.id,
    gate: null,
    random: () => 0,
    sleep: async () => {},
    request: async (url, { headers = {} }) => {
      const { status, text } = await readReply(replies, url, headers);
      // The first page is always damaged, and later ones sometimes.
      const isDamaged = damaged.size === 0 || random() < 0.2;
      const bytes = damaged.get(url) ?? (isDamaged ? mutateReply(random, text, mutateJson) : Buffer.from(text));
      damaged.set(url, bytes);
      if (bytes.length === 0 && random() < 0.5) throw new OutboundError('truncated');
      if (status === 200 && isUtf8(bytes)) sent.push(new TextDecoder().decode(bytes));
      return { status, headers: new Headers(), bytes };
    },
  });
  try {
    const { bars, dropped } = await collectBars(provider, query, { http, at: now });
    return { bars, ending: Object.keys(dropped).length === 0 ? 'all' : 'some' };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { bars: null, ending: error.fault };
  }
}

function rowsOf({ timestamps, columns }: BarTable): SceneRow[] {
  return Array.from(timestamps, (timestamp, row) => {
    const bar = Object.fromEntries(BAR_COLUMNS.map((name) => [name, columns[name][row]]));
    return { timestamp, ...bar } as unknown as SceneRow;
  });
}

const textOf = ({ timestamp, open, high, low, close, volume }: SceneRow): string =>
  [timestamp, open, high, low, close, volume].map((value) => (Object.is(value, -0) ? 0 : value)).join();

/** Checks that every bar was sent as it is and is valid, and that no valid daily bar is missing. */
function checkRows(running: RunningScene, { query, sent }: Case, table: BarTable): void {
  const { provider, now } = running;
  const rows = rowsOf(table);
  const hours = { ...query, session: query.frequency === '1D' ? 'regular' : 'extended' } as const;
  const kind = provider.kindOf(query.symbol);
  const checked = checkBars(rows, hours, now, kind);
  assert.deepEqual([rowsOf(checked.bars), checked.dropped], [rows, {}], 'every row is valid');
  const decoded = sent.flatMap((text) => decode(running, query, text));
  const texts = new Set(decoded.map(textOf));
  for (const row of rows) assert.ok(texts.has(textOf(row)), `${textOf(row)} was not sent`);
  if (provider.serves !== 'stocks' || query.frequency !== '1D') return;
  const expected = checkBars(decoded, hours, now, kind);
  assert.deepEqual(rows.map(textOf), rowsOf(expected.bars).map(textOf), 'every valid row that was sent is returned');
}

function decode(running: RunningScene, query: PageQuery, text: string): SceneRow[] {
  try {
    return running.decode(query, text);
  } catch {
    return [];
  }
}

for (const scene of ADAPTER_SCENES) {
  test(`${scene.name}: returns only rows that were sent on ${COUNT} mutated replies`, {
    timeout: 900_000,
  }, async () => {
    await using running = await scene.start({ pageRows: 25 });
    const replies: Replies = new Map();
    const endings = new Map<string, number>();
    for (let seed = 0; seed < COUNT; seed++) {
      const random = createSeededRandom(seed);
      const run: Case = { query: queryOf(random, scene, running), sent: [] };
      try {
        const { bars, ending } = await collectDamaged(running, random, replies, run);
        endings.set(ending, (endings.get(ending) ?? 0) + 1);
        if (bars !== null) checkRows(running, run, bars);
      } catch (error) {
        const sent = run.sent.map((text) => text.slice(0, 2_000)).join('\n');
        throw new Error(`case ${seed} ${JSON.stringify(run.query)} sent ${sent}`, { cause: error });
      }
    }
    // A change of a file of Dukascopy mostly damages many rows, so that the whole reply fails.
    for (const [ending, cases] of [
      ['MALFORMED', COUNT / 50] as const,
      ['all', COUNT / 50] as const,
      ['some', 1] as const,
    ]) {
      assert.ok((endings.get(ending) ?? 0) >= cases, `${ending} occurs: ${JSON.stringify([...endings])}`);
    }
  });
}
