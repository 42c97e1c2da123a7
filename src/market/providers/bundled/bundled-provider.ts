import type { ListedSeries } from '../../../snapshots/index.ts';
import type { BarQuery } from '../../bars.ts';
import type { BarPage, BulkDays, DaysPage, MarketProvider, RawBar } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { adjustRow } from './adjust-row.ts';
import { describeBundledInstrument } from './describe-instrument.ts';
import { BUNDLED, BUNDLED_INSTRUMENTS, type BundledInstrument, findInstrument } from './instruments.ts';
import { readHistory } from './read-history.ts';

/** Daily bars that are installed with the service: real history without a network. */
export function createBundledProvider(): MarketProvider {
  return {
    id: BUNDLED,
    requestsPerMinute: null,
    frequencies: ['1D'],
    kind: 'exchange',
    canonicalSymbol: (symbol) => findInstrument(symbol)?.symbol ?? symbol,
    refuses,
    fetchPage,
    bulk: BULK,
    list: () => Promise.all(BUNDLED_INSTRUMENTS.map(listed)),
    describe: describeBundledInstrument,
  };
}

function refuses(query: BarQuery): string | null {
  if (query.frequency !== '1D')
    return `The bundled history is of daily bars (1D); there is none at ${query.frequency}.`;
  if (query.session !== 'regular') return 'The bundled daily bars are of the regular session; there are no others.';
  if (query.priceSide !== 'bid') return 'The bundled bars are of trades, not of bids or asks; leave price_side out.';
  const instrument = findInstrument(query.symbol);
  if (instrument === null || instrument.adjustments.includes(query.adjustment)) return null;
  const offered = instrument.adjustments.join(' and ');
  return `The bundled history of ${instrument.symbol} has no ${query.adjustment} prices; it offers ${offered}.`;
}

/** The whole answer is one page. */
async function fetchPage(query: BarQuery): Promise<BarPage> {
  const reason = refuses(query);
  if (reason !== null) throw new Error(reason);
  const instrument = findInstrument(query.symbol);
  if (instrument === null) throw new ProviderError(BUNDLED, 'UNKNOWN_SYMBOL');
  const { rows } = await readHistory(instrument);
  const start = query.start ?? Number.NEGATIVE_INFINITY;
  const wanted = rows.filter(({ timestamp }) => timestamp >= start && timestamp < query.end);
  // One more than is wanted shows that there are older ones.
  const latest = wanted.slice(Math.max(0, wanted.length - query.limit - 1));
  return { bars: latest.map((row) => adjustRow(row, query.adjustment)), older: null };
}

const BULK: BulkDays = {
  mostSymbols: 1_000,
  symbols: async () => BUNDLED_INSTRUMENTS.map(({ symbol }) => symbol),
  async fetchDays({ symbols, adjustment, start, end }): Promise<DaysPage> {
    const bars = new Map<string, readonly RawBar[]>();
    for (const symbol of symbols) {
      const instrument = findInstrument(symbol);
      if (instrument === null) continue;
      const { rows } = await readHistory(instrument);
      const wanted = rows.filter(({ timestamp }) => timestamp >= start && timestamp < end);
      bars.set(
        symbol,
        wanted.map((row) => adjustRow(row, adjustment)),
      );
    }
    return { bars, next: null };
  },
};

async function listed(instrument: BundledInstrument): Promise<ListedSeries> {
  const { first, last } = await readHistory(instrument);
  const { symbol, title, aliases, keywords, priceUnits } = instrument;
  return {
    source: { type: 'market', symbol, provider: BUNDLED, timeframe: '1D' },
    title,
    keywords: [symbol, ...aliases, ...keywords, 'Yahoo Finance'],
    provider: BUNDLED,
    frequency: '1D',
    span: { start: new Date(first.timestamp).toISOString(), end: new Date(last.timestamp).toISOString() },
    units: priceUnits,
  };
}
