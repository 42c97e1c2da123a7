import type { EconomicAdapter } from '../../../../src/datasets/providers/provider.ts';
import type { MarketProvider, RawBar } from '../../../../src/market/index.ts';
import { ProviderError } from '../../../../src/platform/index.ts';
import { STOCKS } from '../../market/stocks.ts';
import type { Pair } from './currencies.ts';
import { type Economy, FIRST_VINTAGE, type IndicatorName } from './economy.ts';
import { valuesAt } from './published-series.ts';
import { DAY, dayAt } from './second-calendar.ts';
import { closesAt, type Stock, type StockName } from './stocks.ts';

export type Now = () => number;

/** The dates from and until which a provider does not answer. */
export const OUTAGES = {
  stocks: { from: dayAt('2025-03-17'), to: dayAt('2025-03-21') },
  economy: { from: dayAt('2025-08-11'), to: dayAt('2025-08-15') },
} as const;

export function isOut(provider: keyof typeof OUTAGES, instant: number): boolean {
  const { from, to } = OUTAGES[provider];
  return instant >= from && instant < to;
}

/** Creates the provider of the stocks. Its bars appear as the clock moves. */
export function createStockProvider(stocks: Readonly<Record<StockName, Stock>>, now: Now): MarketProvider {
  return {
    id: 'alpaca',
    requestsPerMinute: null,
    ...STOCKS,
    frequencies: ['1D'],
    canonicalSymbol: (symbol) => (Object.hasOwn(stocks, symbol) ? symbol : null),
    async fetchPage({ symbol, adjustment, start = Number.NEGATIVE_INFINITY, end }) {
      if (isOut('stocks', now())) throw new ProviderError('alpaca', 'UNAVAILABLE');
      const bars = closesAt(stocks[symbol as StockName], adjustment, now());
      return {
        bars: bars.filter(({ timestamp }) => timestamp >= start && timestamp < end).map(toBar),
        olderToken: null,
      };
    },
  };
}

/** Creates the provider of EURUSD. */
export function createPairProvider(pair: Pair, now: Now): MarketProvider {
  return {
    id: 'dukascopy',
    requestsPerMinute: null,
    serves: 'currencies',
    frequencies: ['1D', '1h'],
    adjustments: ['raw', 'split', 'all'],
    sides: ['bid'],
    sessions: ['regular', 'extended'],
    license: { name: 'test license', url: 'https://example.com' },
    earliest: null,
    delayMinutes: 0,
    canonicalSymbol: (symbol) => (symbol === 'EURUSD' ? symbol : null),
    kindOf: () => 'currency',
    async fetchPage({ frequency, start = Number.NEGATIVE_INFINITY, end }) {
      const bars = valuesAt(frequency === '1h' ? pair.hours : pair.days, now());
      return {
        bars: bars.filter(({ timestamp }) => timestamp >= start && timestamp < end).map(toBar),
        olderToken: null,
      };
    },
  };
}

function toBar({ timestamp, value }: { readonly timestamp: number; readonly value: number }): RawBar {
  return { timestamp, open: value, high: value * 1.001, low: value * 0.999, close: value, volume: 1_000 };
}

/** Creates the adapter of the published series. It has vintages of them. */
export function createEconomyAdapter(economy: Economy, now: Now): EconomicAdapter {
  const find = (seriesId: string) => {
    if (isOut('economy', now())) throw new ProviderError('fred', 'UNAVAILABLE');
    return Object.hasOwn(economy, seriesId) ? economy[seriesId as IndicatorName] : null;
  };
  const details = (title: string) => ({
    title,
    units: 'Index',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: 'The living market',
    lastUpdate: null,
    notes: null,
  });
  return {
    id: 'fred',
    name: 'The living market',
    requestsPerMinute: 6_000,
    license: { name: 'test license', url: null },
    vintageTimeZone: 'UTC',
    isKeyless: false,
    wellKnown: { seriesId: 'PRICES', dimensions: {} },
    async readStructure(seriesId) {
      const found = find(seriesId);
      if (found === null) return null;
      const { title, frequency } = found;
      const span = { first: found.rows[0]?.timestamp ?? 0, last: found.rows.at(-1)?.timestamp ?? 0 };
      const structure = { ...details(title), dimensions: [], span, firstVintage: FIRST_VINTAGE };
      return { ...structure, frequency: { frequency } };
    },
    async readSeries({ seriesId, vintage }) {
      const found = find(seriesId);
      if (found === null) return null;
      // Everything that was published on the date of a vintage belongs to it.
      const instant = vintage === undefined ? now() : Math.min(now(), dayAt(vintage) + DAY - 1);
      const observations = valuesAt(found.rows, instant).map(({ timestamp, value }) => ({ instant: timestamp, value }));
      return { frequency: { frequency: found.frequency }, observations, details: {}, flagLabels: {}, footnotes: [] };
    },
    async *readListing() {},
  };
}
