import { type Clock, revealSecret, type SecretValue, systemClock } from '../../../platform/index.ts';
import type { MarketProvider } from '../provider.ts';
import { canonicalStockSymbol } from '../stocks/stock-symbols.ts';
import { fetchBars } from './alpaca-bars.ts';
import { fetchDays, MAX_SYMBOLS } from './alpaca-days.ts';
import { ALPACA, type AlpacaSession, EARLIEST } from './alpaca-session.ts';
import { readAssets } from './list-assets.ts';

export interface AlpacaSettings {
  readonly keyId: SecretValue;
  readonly secret: SecretValue;
  /** The feed to request, such as iex; undefined for the best feed of the account's plan. */
  readonly feed?: string | undefined;
  /** The address of the market data. */
  readonly url: string;
  /** The address of the trading API, which lists the assets. */
  readonly tradingUrl: string;
  readonly requestsPerMinute: number;
  readonly clock?: Clock;
}

/** Creates the provider of Alpaca's market data: trades of US stocks, all hours, from 2016. */
export function createAlpacaProvider(settings: AlpacaSettings): MarketProvider {
  const { keyId, secret, feed, url, tradingUrl, requestsPerMinute, clock = systemClock } = settings;
  const session: AlpacaSession = {
    url: url.replace(/\/+$/, ''),
    tradingUrl: tradingUrl.replace(/\/+$/, ''),
    get headers() {
      return { 'apca-api-key-id': revealSecret(keyId), 'apca-api-secret-key': revealSecret(secret) };
    },
    feed,
    now: () => clock.now().getTime(),
    recentBars: feed === 'iex' ? 'included' : 'unknown',
    invalidSymbols: new Set(),
  };
  return {
    id: ALPACA,
    requestsPerMinute,
    serves: 'stocks',
    frequencies: ['1min', '5min', '15min', '30min', '1D'],
    adjustments: ['raw', 'split', 'all'],
    sides: ['trade'],
    sessions: ['regular', 'extended'],
    license: { name: 'Alpaca market data terms', url: 'https://alpaca.markets/disclosures' },
    earliest: EARLIEST,
    get delayMinutes() {
      return session.recentBars === 'refused' ? 15 : 0;
    },
    canonicalSymbol: canonicalStockSymbol,
    kindOf: () => 'exchange',
    fetchPage: (query, token, http) => fetchBars(session, query, token, http),
    bulk: {
      by: 'symbols',
      maxSymbols: MAX_SYMBOLS,
      fetchDays: (query, token, http) => fetchDays(session, query, token, http),
    },
    readListing: (http) => readAssets(session, http),
  };
}
