import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFeedFile } from '../../../../test/support/market/decode-feed-file.ts';
import {
  encodeCandles,
  type FeedCandle,
  startDukascopyServer,
} from '../../../../test/support/market/dukascopy-server.ts';
import { mutateReply, pick } from '../../../../test/support/market/mutate-reply.ts';
import { exceedsShare, withoutPeaks } from '../../../../test/support/market/valid-rows.ts';
import { createSeededRandom, type Random } from '../../../../test/support/platform/seeded-random.ts';
import { type Clock, createProviderClient, ProviderError, type ProviderFault } from '../../../platform/index.ts';
import { BAR_COLUMNS } from '../../bars.ts';
import { collectBars } from '../collect-bars.ts';
import type { PageQuery } from '../provider.ts';
import { createDukascopyProvider } from './dukascopy-provider.ts';

const COUNT = Number(process.env.ALMANAC_MUTATED_REPLIES ?? 300);
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2024, 0, 20, 12);
const CLOCK: Clock = { now: () => new Date(NOW) };
const YEARS = [2024, 2023] as const;
const START = Date.UTC(2023, 11, 1);
const QUERY: PageQuery = {
  symbol: 'EURUSD',
  frequency: '1D',
  adjustment: 'raw',
  side: 'bid',
  start: START,
  end: NOW,
  limit: 1_000,
};

function candlesOf(year: number): FeedCandle[] {
  const [first, days] = year === 2024 ? [Date.UTC(2024, 0, 1), 19] : [Date.UTC(2023, 11, 1), 31];
  return Array.from({ length: days }, (_, day) => first + day * DAY_MS)
    .filter((timestamp) => new Date(timestamp).getUTCDay() !== 6)
    .map((timestamp, place) => {
      const units = 108_000 + 17 * place;
      const [open, high, low, close] = [units, units + 50, units - 40, units + 9].map((unit) => unit / 1e5);
      return { timestamp, open, high, low, close, volume: place / 4 } as FeedCandle;
    });
}

type Json = Record<string, unknown>;
const COLUMNS = ['times', 'opens', 'highs', 'lows', 'closes', 'volumes'];
const BASES = ['timestamp', 'multiplier', 'open', 'high', 'low', 'close', 'shift'];
const WRONG = [null, true, '1', '', 0, -1, 1.5, 1e308, -1e15, 2 ** 53, [1], {}, undefined];

/** Changes one value, one row or one column of a file. */
const CHANGES: readonly ((random: Random, reply: Json) => void)[] = [
  (random, reply) => {
    reply[pick(random, [...BASES, ...COLUMNS])] = pick(random, WRONG);
  },
  (random, reply) => {
    const column = reply[pick(random, COLUMNS)];
    if (Array.isArray(column)) column[Math.floor(random() * column.length)] = pick(random, [...WRONG, 2, 3, -60, 200]);
  },
  (random, reply) => {
    const column = reply[pick(random, COLUMNS)];
    if (Array.isArray(column)) column.splice(Math.floor(random() * column.length), pick(random, [0, 1]), 1);
  },
  (random, reply) => {
    const place = Math.floor(random() * 20);
    for (const name of COLUMNS) if (Array.isArray(reply[name])) reply[name].splice(place, 1);
  },
  (random, reply) => {
    for (const name of COLUMNS) if (Array.isArray(reply[name])) reply[name].push(pick(random, [1, 2, 0]));
  },
  (random, reply) => {
    const name = pick(random, ['open', 'high', 'low', 'close', 'timestamp']);
    reply[name] = Number(reply[name]) * pick(random, [-1, 10, 0.1, 1 + 1e-7, 1.01]);
  },
  (random, reply) => {
    reply.multiplier = pick(random, [1e-4, 1e-6, 1, 1e-11, 3e-5, 0.1]);
  },
  (random, reply) => {
    const [one, other] = [pick(random, COLUMNS), pick(random, COLUMNS)];
    [reply[one], reply[other]] = [reply[other], reply[one]];
  },
];

function damage(random: Random, text: string): Buffer {
  if (random() < 0.4) return mutateReply(random, text);
  const reply = JSON.parse(text) as Json;
  const changes = 1 + Math.floor(random() * 2);
  for (let change = 0; change < changes; change++) pick(random, CHANGES)(random, reply);
  return Buffer.from(JSON.stringify(reply));
}

interface Expected {
  readonly valid: readonly FeedCandle[];
  /** The number of candles within the query that are left out, before those next to each other are compared. */
  readonly leftOut: number;
  /** Whether so many candles are invalid that the file is refused. */
  readonly isRefused: boolean;
}

/** Returns what the second decoder reads; null for a malformed file. */
function readFile(bytes: Buffer, year: number): Expected | null {
  const bounds = { start: Date.UTC(year, 0), end: Date.UTC(year + 1, 0), shift: DAY_MS, isCurrent: year === 2024 };
  const candles = decodeFeedFile(bytes, bounds);
  if (candles === null) return null;
  const wanted = candles.filter(({ timestamp }) => timestamp >= START && timestamp < NOW);
  const valid = wanted.filter(isValid);
  const normal = wanted.filter((candle) => isSaturday(candle) || (isPlausible(candle) && !isCompleted(candle)));
  const invalid = wanted.length - normal.length - withoutPeaks(valid, (candle) => candle).length;
  const judged = candles.filter((candle) => wanted.includes(candle) || isSaturday(candle)).length;
  return { valid, leftOut: wanted.length - valid.length, isRefused: exceedsShare(invalid, judged) };
}

const isSaturday = ({ timestamp }: FeedCandle): boolean => new Date(timestamp).getUTCDay() === 6;
const isCompleted = ({ timestamp }: FeedCandle): boolean => timestamp + DAY_MS <= NOW;
const isValid = (candle: FeedCandle): boolean => isCompleted(candle) && !isSaturday(candle) && isPlausible(candle);

function isPlausible({ open, high, low, close, volume }: FeedCandle): boolean {
  return (
    [open, high, low, close].every((price) => price > 0) &&
    [open, close, high].every((price) => price >= low * (1 - 1e-9) && price <= high * (1 + 1e-9)) &&
    high >= low &&
    high <= 1e12 &&
    volume >= 0 &&
    volume <= 1e15
  );
}

test(`returns only candles that were sent and never crashes on ${COUNT} mutated replies`, {
  timeout: 600_000,
}, async () => {
  await using server = await startDukascopyServer({ histories: [], clock: () => NOW });
  const provider = createDukascopyProvider({ url: server.url, requestsPerMinute: 60, clock: CLOCK });
  const texts = YEARS.map((year) => encodeCandles(candlesOf(year), { start: Date.UTC(year, 0), period: 'day' }));
  const endings = new Map<string, number>();
  for (let seed = 0; seed < COUNT; seed++) {
    const random = createSeededRandom(seed);
    const damaged = pick(random, [0, 1]);
    const files = texts.map((text, place) => (place === damaged ? damage(random, text) : Buffer.from(text)));
    server.script.length = 0;
    for (let request = 0; request < 10; request++) {
      server.script.push(({ url }, response) => void response.end(files[url?.endsWith('/2023') ? 1 : 0]));
    }
    const expected = files.map((bytes, place) => readFile(bytes, YEARS[place] as number));
    const ending = await read();
    endings.set(ending, (endings.get(ending) ?? 0) + 1);

    async function read(): Promise<'all' | 'some' | ProviderFault> {
      const http = createProviderClient({ provider: 'dukascopy', gate: null, random: () => 0 });
      try {
        const { bars, dropped } = await collectBars(provider, QUERY, { http, at: NOW });
        const columns = BAR_COLUMNS.map((name) => bars.columns[name]);
        const rows = [...bars.timestamps].map((timestamp, row) => [timestamp, ...columns.map((column) => column[row])]);
        const message = `case ${seed} sent ${files[damaged]?.toString('latin1').slice(0, 3_000)}`;
        const all = expected.flatMap((file) => file?.valid ?? []).sort((a, b) => a.timestamp - b.timestamp);
        const valid = withoutPeaks(all, (candle) => candle);
        assert.deepEqual(
          rows,
          valid.map((row) => [row.timestamp, ...BAR_COLUMNS.map((name) => row[name])]),
          message,
        );
        assert.ok(!expected.some((file) => file === null || file.isRefused), message);
        const leftOut = expected.reduce((sum, file) => sum + (file?.leftOut ?? 0), all.length - valid.length);
        assert.equal(
          Object.values(dropped).reduce((sum, count) => sum + count, 0),
          leftOut,
          message,
        );
        return leftOut === 0 ? 'all' : 'some';
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        assert.ok(
          expected.some((file) => file === null || file.isRefused),
          `case ${seed} was refused: ${files[damaged]?.toString('latin1').slice(0, 3_000)}`,
        );
        return error.fault;
      }
    }
  }
  assert.deepEqual([...endings.keys()].sort(), ['MALFORMED', 'all', 'some'], 'every ending occurs');
});
