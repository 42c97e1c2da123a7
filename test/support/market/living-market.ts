import { DAY_MS, gridOf, HOUR_MS, isTradingDay } from '../../../src/calendar/index.ts';
import { type MovableClock, movableClock } from '../identity/identity.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import { sendJson, type WireServer } from '../platform/wire-server.ts';
import { startAlpacaServer } from './alpaca-server.ts';
import { aggregateCandles, type FeedCandle, startDukascopyServer } from './dukascopy-server.ts';
import { KEYS, LARGE_BUDGETS, settingsOf } from './loopback-market.ts';
import { createHistory, type HistoryBar, type MarketHistory, parseDay } from './market-history.ts';
import { startMassiveServer } from './massive-server.ts';

// A market of five stocks and a currency pair from Thursday, 2024-10-31, to Monday, 2024-12-02. In this time New York
// changes its clocks (11-03), the exchange has a holiday (11-28) and closes early (11-29), a stock is split (11-06), one
// is delisted and one is listed (11-07).

const FIRST_DAY = '2023-03-01';
const LAST_DAY = '2024-12-02';
const START = '2024-10-31T12:00:00Z';

/** The morning with four new shares for one old share of ACME. */
export const SPLIT = { date: parseDay('2024-11-06'), ratio: 4 };
/** A day without a bar of HALT. */
export const HALTED = parseDay('2024-10-22');
/** The first day without OLDF, and the first with NOVA. */
export const LISTING_DAY = '2024-11-07';

/** Further instruments of Dukascopy, one of them not bundled with the service. */
const LISTING = [
  { code: 'EUR-HUF', description: 'Euro vs Hungarian Forint', group: 'FX_CROSSES' },
  { code: 'XAU-USD', description: 'Spot gold', group: 'FX_METALS' },
  { code: 'BTC-USD', description: 'Bitcoin vs US Dollar', group: 'VCCY' },
] as const;

/** A client that gets this reply does not try again soon. */
const UNAVAILABLE = sendJson({ message: 'scheduled maintenance' }, 503, { 'retry-after': '3600' });
/** More than the service requests during an outage. */
const MAX_REPLIES = 1_000;

export interface LivingMarket extends AsyncDisposable {
  /** The clock of the market and of the service. */
  readonly clock: MovableClock;
  readonly stocks: Readonly<Record<'ACME' | 'BOLT' | 'HALT' | 'OLDF' | 'NOVA', MarketHistory>>;
  /** Bids of EURUSD, one candle per hour of trading. */
  readonly hours: readonly FeedCandle[];
  /** The settings of a service that uses the three providers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Lists and delists: OLDF is delisted, and NOVA is new. */
  changeListings(): void;
  /** Makes the preferred provider of stocks fail, or ends that. */
  setOutage(isOut: boolean): void;
  /**
   * Returns the requests since the last call, such as `alpaca ACME 1Day`. Requests for a listing and for days in bulk are
   * `alpaca listing` and `alpaca days`.
   */
  takeRequests(): string[];
}

/** Starts the three providers on this machine. */
export async function startLivingMarket(): Promise<LivingMarket> {
  await using open = new AsyncDisposableStack();
  const clock = movableClock(START);
  const now = () => clock.now().getTime();
  const stocks = createStocks();
  const histories = [stocks.ACME, stocks.BOLT, stocks.HALT, stocks.OLDF];
  const hours = createHours();
  const day = [...createDays(), ...aggregateCandles(hours, 'day')];
  const { alpacaId: keyId, alpacaSecret: secret, massive: key } = KEYS;
  const alpaca = open.use(await startAlpacaServer({ histories, clock: now, keyId, secret }));
  const massive = open.use(await startMassiveServer({ histories, clock: now, key }));
  const pair = { code: 'EUR-USD', description: 'Euro vs US Dollar', bid: { day, hour: hours, minute: [] } };
  const dukascopy = open.use(await startDukascopyServer({ histories: [pair], listing: LISTING, clock: now }));
  const servers = { alpaca, massive, dukascopy };
  const kept = open.move();
  return {
    clock,
    stocks,
    hours,
    // Budgets refill with the clock of the market, which stands still while a request waits.
    environment: { ...settingsOf(servers), ...LARGE_BUDGETS },
    changeListings() {
      stocks.OLDF.status = 'delisted';
      histories.push(stocks.NOVA);
    },
    setOutage(isOut) {
      alpaca.script.length = 0;
      if (isOut) alpaca.script.push(...Array(MAX_REPLIES).fill(UNAVAILABLE));
    },
    takeRequests: () =>
      Object.entries(servers).flatMap(([name, { requests }]) =>
        requests.splice(0).map((request) => `${name} ${describeRequest(request)}`),
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function describeRequest({ path, query }: WireServer['requests'][number]): string {
  if (/^\/v2\/assets$|^\/v3\/reference\/tickers$|^\/v1\/instruments/.test(path)) return 'listing';
  if (/^\/v2\/stocks\/bars$|\/grouped\//.test(path)) return 'days';
  const [, alpaca] = /^\/v2\/stocks\/([^/]+)\/bars$/.exec(path) ?? [];
  if (alpaca !== undefined) return `${alpaca} ${query.timeframe}`;
  const [, massive, ...span] = /^\/v2\/aggs\/ticker\/([^/]+)\/range\/(\d+)\/(\w+)\//.exec(path) ?? [];
  if (massive !== undefined) return `${massive} ${span.join(' ')}`;
  const [, , , period, code] = path.split('/');
  return `${code} ${period}`;
}

function createStocks(): LivingMarket['stocks'] {
  const days = { from: FIRST_DAY, to: LAST_DAY };
  const stocks = {
    ACME: createHistory({
      ...days,
      symbol: 'ACME',
      name: 'Acme Corporation Common Stock',
      price: 400,
      minutesFrom: '2024-10-31',
      splits: [SPLIT],
      seed: 1,
    }),
    BOLT: createHistory({ ...days, symbol: 'BOLT', name: 'Bolt Motors Inc. Common Stock', price: 50, seed: 2 }),
    HALT: createHistory({ ...days, symbol: 'HALT', name: 'Mill Street Bank Common Stock', price: 20, seed: 3 }),
    OLDF: createHistory({
      from: FIRST_DAY,
      to: '2024-11-06',
      symbol: 'OLDF',
      name: 'Mill Street Foods Common Stock',
      price: 30,
      seed: 4,
    }),
    NOVA: createHistory({
      from: LISTING_DAY,
      to: LAST_DAY,
      symbol: 'NOVA',
      name: 'Nova Batteries Ltd. Common Stock',
      price: 15,
      seed: 5,
    }),
  };
  stocks.HALT.days = stocks.HALT.days.filter(({ timestamp }) => timestamp !== HALTED);
  return stocks;
}

/** Replaces the close of a day, as exchanges do after a correction of trades. */
export function correctClose(history: MarketHistory, date: string, close: number): void {
  history.days = history.days.map((bar) => {
    if (bar.timestamp !== parseDay(date)) return bar;
    return { ...bar, close, high: Math.max(bar.high, close), low: Math.min(bar.low, close) };
  });
}

/** Returns the raw bar of a day. */
export function dayOf({ days }: MarketHistory, date: string): HistoryBar {
  const bar = days.find(({ timestamp }) => timestamp === parseDay(date));
  if (bar === undefined) throw new RangeError(`There is no bar on ${date}.`);
  return bar;
}

const FIRST_HOUR = parseDay('2024-10-28');

/** Returns bids of every hour of trading. */
function createHours(): FeedCandle[] {
  const grid = gridOf({ frequency: '1h', kind: 'currency' });
  const instants: number[] = [];
  for (let at = FIRST_HOUR; at < parseDay(LAST_DAY) + DAY_MS; at += HOUR_MS) if (grid.contains(at)) instants.push(at);
  return createCandles(instants, 1.08, 6);
}

/** Returns bids of the days before the hours. */
function createDays(): FeedCandle[] {
  const days: number[] = [];
  for (let day = parseDay('2024-01-01'); day < FIRST_HOUR; day += DAY_MS)
    if (isTradingDay(day, 'currency')) days.push(day);
  return createCandles(days, 1.1, 7);
}

function createCandles(instants: readonly number[], price: number, seed: number): FeedCandle[] {
  const random = createSeededRandom(seed);
  let last = Math.round(price * 1e5);
  return instants.map((timestamp) => {
    const open = last;
    last += Math.floor((random() - 0.5) * 200);
    const units = [open, Math.max(open, last) + 20, Math.min(open, last) - 20, last];
    const [o, h, l, c] = units.map((unit) => unit / 1e5) as [number, number, number, number];
    return { timestamp, open: o, high: h, low: l, close: c, volume: 10 };
  });
}
