import { DAY_MS } from '../../../src/calendar/index.ts';
import type { WireServer } from '../platform/wire-server.ts';
import { startAlpacaServer } from './alpaca-server.ts';
import { type FeedCandle, startDukascopyServer } from './dukascopy-server.ts';
import { createHistory } from './market-history.ts';
import { startMassiveServer } from './massive-server.ts';

/** The keys that the servers accept. */
export const KEYS = {
  alpacaId: 'AKTESTID0123456789',
  alpacaSecret: 'alpaca+secret/7f3a9',
  massive: 'massive_key_5b1d8',
};

export interface LoopbackMarket extends AsyncDisposable {
  readonly alpaca: WireServer;
  readonly massive: WireServer;
  readonly dukascopy: WireServer;
  /** The settings of a service that uses the three servers, with the keys that they accept. */
  readonly environment: Readonly<Record<string, string>>;
  /** The closes of AAPL and of EURUSD. */
  readonly closes: { readonly stock: readonly number[]; readonly pair: readonly number[] };
}

/** Starts the three providers on this machine, with daily bars of AAPL (60 calendar days) and EURUSD until today. */
export async function startLoopbackMarket({ days: calendarDays = 60 } = {}): Promise<LoopbackMarket> {
  await using open = new AsyncDisposableStack();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  const history = createHistory({ symbol: 'AAPL', from: dateOf(today - calendarDays * DAY_MS), to: dateOf(today) });
  const { alpacaId: keyId, alpacaSecret: secret, massive: key } = KEYS;
  const days = dailyCandles(today - 400 * DAY_MS, today);
  const alpaca = open.use(await startAlpacaServer({ histories: [history], keyId, secret }));
  const massive = open.use(await startMassiveServer({ histories: [history], key }));
  const dukascopy = open.use(
    await startDukascopyServer({
      histories: [
        { code: 'EUR-USD', bid: { day: days } },
        // Not in the bundled table of pairs.
        { code: 'USD-DKK', bid: { day: days } },
      ],
      listing: [
        { code: 'XAU-USD', group: 'FX_METALS' },
        { code: 'BTC-USD', group: 'VCCY' },
      ],
      clock: Date.now,
    }),
  );
  const kept = open.move();
  return {
    alpaca,
    massive,
    dukascopy,
    environment: {
      ...settingsOf({ alpaca, massive, dukascopy }),
      // With the default, the second request would wait for 12 seconds.
      ALMANAC_MASSIVE_REQUESTS_PER_MINUTE: '6000',
    },
    closes: { stock: history.days.map(({ close }) => close), pair: days.map(({ close }) => close) },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Returns the settings of a service that uses these servers, with the keys in KEYS. */
export function settingsOf({ alpaca, massive, dukascopy }: Pick<LoopbackMarket, 'alpaca' | 'massive' | 'dukascopy'>) {
  return {
    ALMANAC_MARKET_PROVIDERS: 'alpaca,massive,dukascopy',
    ALMANAC_ALPACA_KEY_ID: KEYS.alpacaId,
    ALMANAC_ALPACA_SECRET: KEYS.alpacaSecret,
    ALMANAC_ALPACA_URL: alpaca.url,
    ALMANAC_ALPACA_TRADING_URL: alpaca.url,
    ALMANAC_MASSIVE_KEY: KEYS.massive,
    ALMANAC_MASSIVE_URL: massive.url,
    ALMANAC_DUKASCOPY_URL: dukascopy.url,
  };
}

/** The budgets of a service whose clock stands still, so that they do not refill. */
export const LARGE_BUDGETS = {
  ALMANAC_ALPACA_REQUESTS_PER_MINUTE: '6000',
  ALMANAC_MASSIVE_REQUESTS_PER_MINUTE: '6000',
  ALMANAC_DUKASCOPY_REQUESTS_PER_MINUTE: '6000',
};

/** Returns one candle for each date without Saturdays. */
function dailyCandles(from: number, to: number): FeedCandle[] {
  const candles: FeedCandle[] = [];
  for (let timestamp = from; timestamp <= to; timestamp += DAY_MS) {
    if (new Date(timestamp).getUTCDay() === 6) continue;
    const thousandths = 1_100 + (candles.length % 50);
    const [low, open, close, high] = [-2, 0, 1, 2].map((change) => (thousandths + change) / 1_000) as [
      number,
      number,
      number,
      number,
    ];
    candles.push({ timestamp, open, high, low, close, volume: 5 });
  }
  return candles;
}
