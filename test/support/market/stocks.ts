import type { ListedInstrument, MarketProvider } from '../../../src/market/index.ts';

/** The properties of a provider of stocks that has trades of all hours. */
export const STOCKS = {
  serves: 'stocks',
  adjustments: ['raw', 'split', 'all'],
  sides: ['trade'],
  sessions: ['regular', 'extended'],
  license: { name: 'test license', url: 'https://example.com' },
  earliest: null,
  delayMinutes: 0,
  canonicalSymbol: (symbol) => symbol,
  kindOf: () => 'exchange',
} as const satisfies Partial<MarketProvider>;

/** Returns a stock as a listing contains it. */
export function listedStock(symbol: string): ListedInstrument {
  return { symbol, name: symbol, aliases: [], exchange: null, class: 'stock', units: 'USD', status: 'active' };
}
