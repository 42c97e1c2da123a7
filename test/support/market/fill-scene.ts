import { ALL_LICENSES } from '../../../src/access/index.ts';
import { latestClosedSession, MINUTE_MS, previousSession, sessionHours } from '../../../src/calendar/index.ts';
import { fillDays } from '../../../src/market/bulk/fill-days.ts';
import type { FillContext } from '../../../src/market/bulk/fill-run.ts';
import { lastSessions } from '../../../src/market/bulk/session-day.ts';
import { createDirectory, type MarketProvider, marketMigrations } from '../../../src/market/index.ts';
import { createAlpacaProvider } from '../../../src/market/providers/alpaca/alpaca-provider.ts';
import { createMassiveProvider } from '../../../src/market/providers/massive/massive-provider.ts';
import { readDaysOfMany } from '../../../src/market/store/store-days.ts';
import { createLog, outboundMigrations } from '../../../src/platform/index.ts';
import type { TestDatabase } from '../platform/database.ts';
import type { WireRequest, WireServer } from '../platform/wire-server.ts';
import { startAlpacaServer } from './alpaca-server.ts';
import { createHistory, type MarketHistory, parseDay } from './market-history.ts';
import { type MassiveServerOptions, startMassiveServer } from './massive-server.ts';

export const FILL_OPTIONS = { migrations: [marketMigrations, outboundMigrations] };

export type FillProtocol = 'alpaca' | 'massive';

/** A market on loopback whose daily bars are read in bulk. */
export interface FillScene extends AsyncDisposable {
  readonly context: FillContext;
  readonly provider: MarketProvider;
  readonly server: WireServer;
  /** The histories of the server. A test may change them. */
  readonly histories: MarketHistory[];
  /** Sets the time to an hour after the close of a session. */
  closeSession(date: string): void;
  setTime(instant: string): void;
  /** Reads the listing again. */
  refreshListing(): Promise<void>;
  /** Reads the missing days. Returns how that ended and the requests for bars that it sent. */
  fill(signal?: AbortSignal): Promise<{ readonly outcome: string | undefined; readonly requests: readonly string[] }>;
  /** Returns the stored closes of a symbol, oldest first. */
  readCloses(symbol: string): Promise<readonly number[]>;
  /** Returns the closes of the sessions to store, as the server has them now. */
  expectedCloses(symbol: string): readonly number[];
}

export interface FillSceneOptions {
  readonly symbols?: number;
  /** The number of sessions to store. */
  readonly sessions?: number;
  readonly maxSymbols?: number;
  /** The last session of the first fill. */
  readonly session: string;
  /** The last session of the histories. */
  readonly lastSession: string;
  readonly plan?: MassiveServerOptions['plan'];
}

/** Returns a symbol by its number. @example symbolAt(0) // 'SAA' */
export function symbolAt(i: number): string {
  return `S${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`;
}

export async function openFillScene(
  { database }: Pick<TestDatabase, 'database'>,
  protocol: FillProtocol,
  { symbols = 40, sessions = 30, maxSymbols = 10, session, lastSession, plan }: FillSceneOptions,
): Promise<FillScene> {
  let now = 0;
  const clock = { now: () => new Date(now) };
  const closeSession = (date: string) => {
    now = sessionHours(parseDay(date)).close + 60 * MINUTE_MS;
  };
  closeSession(session);
  let first = parseDay(session);
  for (let i = 0; i < sessions + 10; i++) first = previousSession(first);
  const histories = Array.from({ length: symbols }, (_, i) =>
    createHistory({
      symbol: symbolAt(i),
      from: new Date(first).toISOString().slice(0, 10),
      to: lastSession,
      seed: i + 1,
    }),
  );
  const options = { histories, clock: () => now };
  const server = await (protocol === 'alpaca'
    ? startAlpacaServer(options)
    : startMassiveServer({ ...options, ...(plan && { plan }) }));
  const parts = { url: server.url, requestsPerMinute: 6_000_000, clock };
  const provider =
    protocol === 'alpaca'
      ? withMaxSymbols(
          createAlpacaProvider({ ...parts, keyId: 'id', secret: 'secret', tradingUrl: server.url }),
          maxSymbols,
        )
      : createMassiveProvider({ ...parts, key: 'key' });
  const log = createLog('silent');
  const directory = createDirectory({ database, clock, log, providers: [provider] });
  const context: FillContext = {
    database,
    clock,
    log,
    directory,
    providers: [provider],
    licenses: ALL_LICENSES,
    storeBytes: 2 ** 30,
    lagMinutes: 30,
    sessions,
  };
  await directory.refresh(provider.id);
  return {
    context,
    provider,
    server,
    histories,
    closeSession,
    setTime: (instant) => {
      now = Date.parse(instant);
    },
    refreshListing: async () => {
      await directory.refresh(provider.id);
    },
    fill: async (signal) => {
      const before = server.requests.length;
      const outcomes = await fillDays(context, { signal });
      return { outcome: outcomes.get(provider.id), requests: server.requests.slice(before).map(describeRequest) };
    },
    readCloses: async (symbol) => {
      const days = await readDaysOfMany(context, provider, [symbol], { start: 0, end: now });
      return [...(days.get(symbol)?.bars.columns.close ?? [])];
    },
    expectedCloses: (symbol) => {
      const from = lastSessions(latestClosedSession(now, 0), sessions)[0] ?? 0;
      return expectedCloses(histories, symbol, from, now);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function expectedCloses(
  histories: readonly MarketHistory[],
  symbol: string,
  from: number,
  now: number,
): readonly number[] {
  const { days, splits = [] } = histories.find((history) => history.symbol === symbol) as MarketHistory;
  const ended = days.filter(({ timestamp }) => timestamp >= from && sessionHours(timestamp).close <= now);
  return ended.map(({ timestamp, close }) => {
    const later = splits.filter(({ date }) => timestamp < date && date <= now);
    return later.reduce((price, { ratio }) => price * (1 / ratio), close);
  });
}

/** Returns the provider with another limit on the symbols of a query. Its properties may be computed. */
function withMaxSymbols(provider: MarketProvider, maxSymbols: number): MarketProvider {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(provider)) as MarketProvider;
  return Object.defineProperty(copy, 'bulk', { value: { ...provider.bulk, maxSymbols } });
}

/** @example 'SAA..SAJ 2024-03-01' for symbols and the first date; '2024-03-01' for a date; 'SAA' for one symbol */
function describeRequest({ path, query }: WireRequest): string {
  const date = /\/grouped\/.*\/(\d{4}-\d\d-\d\d)$/.exec(path)?.[1];
  if (date !== undefined) return date;
  const symbol = /^\/v2\/(?:aggs\/ticker|stocks)\/([^/]+)\//.exec(path)?.[1];
  if (symbol !== undefined) return symbol;
  const symbols = (query.symbols ?? '').split(',');
  return `${symbols[0]}..${symbols.at(-1)} ${query.start?.slice(0, 10)}`;
}
