import type { Adjustment } from '../../../contract/index.ts';
import type { PackageFile } from '../../../platform/index.ts';

/** The provider's id. */
export const BUNDLED = 'bundled';

/** An instrument whose daily history is installed with the service. */
export interface BundledInstrument {
  readonly symbol: string;
  /** Other spellings that mean it. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly keywords: readonly string[];
  readonly priceUnits: string;
  readonly volumeUnits: string;
  /** What the file can give; a price that is not in it is not made up. */
  readonly adjustments: readonly Adjustment[];
  readonly file: PackageFile;
  /** The file's columns: date, open, high, low, close, adjusted close, volume. */
  readonly columns: readonly [string, string, string, string, string, string, string];
  readonly license: { readonly name: string; readonly url: string };
  readonly notes: string;
}

export const BUNDLED_INSTRUMENTS: readonly BundledInstrument[] = [
  {
    symbol: '^GSPC',
    aliases: ['SPX', 'GSPC'],
    title: 'S&P 500 index',
    keywords: [
      'S&P 500',
      'S&P500',
      'SP500',
      "Standard & Poor's",
      'US stocks',
      'US stock market',
      'stock index',
      'equities',
    ],
    priceUnits: 'index points',
    volumeUnits: 'shares',
    adjustments: ['raw', 'split', 'all'],
    file: { package: 'vega-datasets', path: 'data/sp500-2000.csv' },
    columns: ['date', 'open', 'high', 'low', 'close', 'adjclose', 'volume'],
    license: {
      name: 'BSD-3-Clause (the package); no licence is stated for the data from Yahoo Finance',
      url: 'https://github.com/vega/vega-datasets',
    },
    notes:
      'An index has no splits and pays no dividends: all adjustments give the same prices. ' +
      'Volume is that of the shares in the index, as Yahoo Finance gave it.',
  },
  {
    symbol: 'AAPL',
    aliases: [],
    title: 'Apple Inc. common stock',
    keywords: ['Apple', 'Apple Computer', 'NASDAQ', 'stock', 'share price', 'equities'],
    priceUnits: 'USD',
    volumeUnits: 'shares',
    adjustments: ['split', 'all'],
    file: { package: '@observablehq/sample-datasets', path: 'aapl.csv' },
    columns: ['Date', 'Open', 'High', 'Low', 'Close', 'Adj Close', 'Volume'],
    license: {
      name: 'ISC (the package); no licence is stated for the data from Yahoo Finance',
      url: 'https://github.com/observablehq/sample-datasets',
    },
    notes:
      'Prices and volume are adjusted for the splits up to May 2018 (7:1 in June 2014), not for the 4:1 split of ' +
      'August 2020. Unadjusted prices are not in the file.',
  },
];

/** The instrument of a symbol or alias, in capitals or not; null: not bundled. */
export function findInstrument(symbol: string): BundledInstrument | null {
  // Other letters have capitals among ours, too: that of the long s is S.
  if (!/^[\x20-\x7e]+$/.test(symbol)) return null;
  const wanted = symbol.toUpperCase();
  return BUNDLED_INSTRUMENTS.find((one) => one.symbol === wanted || one.aliases.includes(wanted)) ?? null;
}
