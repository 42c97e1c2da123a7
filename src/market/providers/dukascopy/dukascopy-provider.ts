import { type Clock, ProviderError, systemClock } from '../../../platform/index.ts';
import type { ListedInstrument, MarketProvider } from '../provider.ts';
import { CandleFeed, DUKASCOPY } from './candle-feed.ts';
import { NATIVE_FREQUENCIES } from './candle-files.ts';
import { BUNDLED_PAIRS, compactSymbol } from './instruments.ts';
import { parseListing } from './parse-listing.ts';

const MAX_BATCH = 2_000;
/** A fifth of the requests of a minute: 12 days of minutes, or 12 years of days. */
const MAX_FILES_PER_READ = 12;

export interface DukascopyOptions {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly requestsPerMinute: number;
  /** Returns the instruments of the listing by symbol; null until the listing has been read. */
  readonly listed?: () => ReadonlyMap<string, ListedInstrument> | null;
  /** Reads the instruments for the first time. */
  readonly prepare?: () => Promise<void>;
  readonly clock?: Clock;
}

/**
 * Creates the provider of bid and ask candles of currency pairs, metals and coins from the JSON feed of Dukascopy. The
 * feed needs no key and has no documentation: a reply of another form is an error.
 */
export function createDukascopyProvider({
  url,
  requestsPerMinute,
  listed = () => null,
  prepare,
  clock = systemClock,
}: DukascopyOptions): MarketProvider {
  const instruments = (): ReadonlyMap<string, ListedInstrument> => listed() ?? BUNDLED_PAIRS;
  const feed = new CandleFeed(url, instruments, clock);
  return {
    id: DUKASCOPY,
    requestsPerMinute,
    serves: 'currencies',
    frequencies: NATIVE_FREQUENCIES,
    // Pairs have no corporate actions, so that every adjustment gives the same prices.
    adjustments: ['raw', 'split', 'all'],
    sides: ['bid', 'ask'],
    sessions: ['regular', 'extended'],
    license: {
      name: 'Not stated',
      url: 'https://www.dukascopy.com/swiss/english/marketwatch/historical/',
    },
    earliest: Math.min(...[...BUNDLED_PAIRS.values()].map(({ starts }) => starts.days)),
    delayMinutes: 0,
    ...(prepare && { prepare }),
    canonicalSymbol(symbol) {
      const compact = compactSymbol(symbol);
      return compact !== null && instruments().has(compact) ? compact : null;
    },
    kindOf: (symbol) => (instruments().get(symbol)?.class === 'coin' ? 'plain' : 'currency'),
    maxPagesPerRead: MAX_FILES_PER_READ,
    fetchPage: (query, token, http) => feed.fetchPage(query, token, http),
    async *readListing(http) {
      const accept = (reply: unknown) => {
        const parsed = parseListing(reply);
        if (parsed === null) throw new ProviderError(DUKASCOPY, 'MALFORMED', 'the listing has another form');
        return parsed;
      };
      const entries = await http.getJson(`${url}/v1/instruments`, { accept });
      for (let from = 0; from < entries.length; from += MAX_BATCH) yield entries.slice(from, from + MAX_BATCH);
    },
  };
}
