import { type Clock, revealSecret, type SecretValue, systemClock } from '../../../platform/index.ts';
import type { MarketProvider } from '../provider.ts';
import { canonicalStockSymbol } from '../stocks/stock-symbols.ts';
import { readTickers } from './list-tickers.ts';
import { fetchAggregates } from './massive-bars.ts';
import { fetchDate } from './massive-days.ts';
import { MassivePlan } from './massive-plan.ts';
import { MASSIVE, type MassiveSession } from './massive-reply.ts';

export interface MassiveSettings {
  readonly key: SecretValue;
  readonly url: string;
  readonly requestsPerMinute: number;
  readonly clock?: Clock;
}

/** Creates the provider of Massive's aggregates (before: Polygon.io): trades of US stocks, all hours. */
export function createMassiveProvider({
  key,
  url,
  requestsPerMinute,
  clock = systemClock,
}: MassiveSettings): MarketProvider {
  const plan = new MassivePlan(() => clock.now().getTime());
  const session: MassiveSession = {
    url: url.replace(/\/+$/, ''),
    get headers() {
      return { authorization: `Bearer ${revealSecret(key)}` };
    },
    plan,
  };
  return {
    id: MASSIVE,
    requestsPerMinute,
    serves: 'stocks',
    frequencies: ['1min', '5min', '15min', '30min', '1D'],
    adjustments: ['raw', 'split'],
    sides: ['trade'],
    sessions: ['regular', 'extended'],
    license: { name: 'Massive market data terms', url: 'https://massive.com/terms' },
    get earliest() {
      return plan.earliest;
    },
    get delayMinutes() {
      return plan.delayMinutes;
    },
    canonicalSymbol: canonicalStockSymbol,
    kindOf: () => 'exchange',
    // The budget allows about as many within the time limit of a request: two of a free plan.
    maxPagesPerRead: Math.max(2, Math.floor(requestsPerMinute / 5)),
    fetchPage: (query, token, http) => fetchAggregates(session, query, token, http),
    bulk: { by: 'date', fetchDate: (date, adjustment, http) => fetchDate(session, date, adjustment, http) },
    readListing: (http) => readTickers(session, http),
  };
}
