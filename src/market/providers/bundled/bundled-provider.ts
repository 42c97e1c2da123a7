import type { SeriesDescription } from '../../../contract/index.ts';
import { ProviderError, readPackageLabel } from '../../../platform/index.ts';
import type { ListedSeries } from '../../../snapshots/index.ts';
import type { BarQuery } from '../../bars.ts';
import { describeValues } from '../../describe-values.ts';
import type { BarPage, BulkDays, DaysPage, ListedInstrument, MarketProvider, PageQuery, RawBar } from '../provider.ts';
import {
  adjustRow,
  BUNDLED,
  BUNDLED_INSTRUMENTS,
  BUNDLED_LICENSE,
  type BundledInstrument,
  findInstrument,
  readHistory,
} from './instruments.ts';

/**
 * Creates the provider of the daily bars that are installed with the service. They are real history, available without
 * a network.
 */
export function createBundledProvider(): MarketProvider {
  return {
    id: BUNDLED,
    requestsPerMinute: null,
    serves: 'stocks',
    frequencies: ['1D'],
    adjustments: ['raw', 'split', 'all'],
    sides: ['trade'],
    sessions: ['regular'],
    license: BUNDLED_LICENSE,
    licenseOf: (symbol) => findInstrument(symbol)?.license ?? BUNDLED_LICENSE,
    earliest: null,
    delayMinutes: 0,
    canonicalSymbol: (symbol) => findInstrument(symbol)?.symbol ?? symbol,
    kindOf: () => 'exchange',
    unsupportedReason,
    fetchPage,
    bulk: BULK,
    readListing,
    list: () => Promise.all(BUNDLED_INSTRUMENTS.map(listInstrument)),
    describe: describeBundledInstrument,
  };
}

function unsupportedReason(query: BarQuery): string | null {
  if (!['1D', '1W-MON', '1MS'].includes(query.frequency))
    return `The bundled history has daily bars (1D) only, not ${query.frequency}.`;
  if (query.session !== 'regular') return 'The bundled history has the regular session only.';
  if (query.priceSide !== undefined) return 'The bundled history has trades, not bids or asks; omit price_side.';
  const instrument = findInstrument(query.symbol);
  if (instrument === null || instrument.adjustments.includes(query.adjustment)) return null;
  const offered = instrument.adjustments.join(' and ');
  return `The bundled history of ${instrument.symbol} has no ${query.adjustment} prices; it offers ${offered}.`;
}

/** Returns all bars of a query in one page. */
async function fetchPage(query: PageQuery): Promise<BarPage> {
  const instrument = findInstrument(query.symbol);
  if (instrument === null) throw new ProviderError(BUNDLED, 'NOT_FOUND');
  const { rows } = await readHistory(instrument);
  const start = query.start ?? Number.NEGATIVE_INFINITY;
  const wanted = rows.filter(({ timestamp }) => timestamp >= start && timestamp < query.end);
  // One more bar than the limit shows that there are older ones.
  const latest = wanted.slice(Math.max(0, wanted.length - query.limit - 1));
  return { bars: latest.map((row) => adjustRow(row, query.adjustment)), olderToken: null };
}

const BULK: BulkDays = {
  by: 'symbols',
  maxSymbols: 1_000,
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
    return { bars, nextToken: null };
  },
};

async function* readListing(): AsyncGenerator<readonly ListedInstrument[]> {
  yield BUNDLED_INSTRUMENTS.map(({ symbol, title, aliases, priceUnits }) => ({
    symbol,
    name: title,
    aliases,
    exchange: null,
    class: 'stock',
    units: priceUnits,
    status: 'active',
  }));
}

async function listInstrument(instrument: BundledInstrument): Promise<ListedSeries> {
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

/** Returns the description of a bundled instrument; null if the symbol is not bundled. */
export async function describeBundledInstrument(symbol: string): Promise<SeriesDescription | null> {
  const instrument = findInstrument(symbol);
  if (instrument === null) return null;
  const { title, adjustments, priceUnits, volumeUnits, file, license, notes } = instrument;
  const [{ rows, first, last }, installed] = await Promise.all([
    readHistory(instrument),
    readPackageLabel(file.package),
  ]);
  return {
    provider: BUNDLED,
    title,
    frequency: '1D',
    timeframes: ['1D', '1W-MON', '1MS'],
    adjustments: [...adjustments],
    sessions: ['regular'],
    time_field: 'timestamp',
    values: describeValues(priceUnits, volumeUnits),
    dimensions: [],
    units: priceUnits,
    span: { start: new Date(first.timestamp).toISOString(), end: new Date(last.timestamp).toISOString() },
    rows: rows.length,
    reporting_period: 'session',
    vintage: 'revised',
    publisher: `Yahoo Finance, by way of ${installed}`,
    license: { ...license },
    notes,
  };
}
