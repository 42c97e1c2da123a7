import type { Adjustment } from '../../../contract/index.ts';
import { once, type PackageFile, parseDate, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import type { RawBar } from '../provider.ts';

/** The id of the bundled provider. */
export const BUNDLED = 'bundled';

/** The license of the bundle. Each instrument has its own as well. */
export const BUNDLED_LICENSE = {
  name: 'that of the package of each instrument',
  url: 'https://github.com/vega/vega-datasets',
} as const;

/** An instrument whose daily history is installed with the service. */
export interface BundledInstrument {
  readonly symbol: string;
  /** Other spellings of the symbol. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly keywords: readonly string[];
  readonly priceUnits: string;
  readonly volumeUnits: string;
  /** The adjustments for which the file has prices. */
  readonly adjustments: readonly Adjustment[];
  readonly file: PackageFile;
  /** The names of the file's columns for the date, open, high, low, close, adjusted close and volume. */
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

/** Returns the instrument with this symbol or alias, ignoring case; null if it is not bundled. */
export function findInstrument(symbol: string): BundledInstrument | null {
  // Some letters outside ASCII have a capital letter in ASCII, such as the long s, whose capital is S.
  if (!/^[\x20-\x7e]+$/.test(symbol)) return null;
  const name = symbol.toUpperCase();
  return BUNDLED_INSTRUMENTS.find((one) => one.symbol === name || one.aliases.includes(name)) ?? null;
}

/** A row of a price file. */
interface DailyRow {
  /** The session's date at 00:00 UTC. */
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly adjustedClose: number;
  readonly volume: number;
}

/** All rows of a price file, oldest first, at least one. */
interface DailyHistory {
  readonly rows: readonly DailyRow[];
  readonly first: DailyRow;
  readonly last: DailyRow;
}

const HISTORIES = new Map(BUNDLED_INSTRUMENTS.map((one) => [one.symbol, once(() => parseHistory(one))]));

/** Returns every row of an instrument's file, which is parsed on the first call. */
export function readHistory(instrument: BundledInstrument): Promise<DailyHistory> {
  const read = HISTORIES.get(instrument.symbol);
  if (read === undefined) throw new Error(`${instrument.symbol} is not bundled.`);
  return read();
}

/** Parses a price file. If a cell is not a number or a date is out of order, throws an error that names the line. */
export async function parseHistory({ file, columns }: BundledInstrument): Promise<DailyHistory> {
  const rows: DailyRow[] = [];
  for (const { where, cells } of await readPackageCsv(file, columns)) {
    const [date, ...numbers] = columns;
    const [open, high, low, close, adjustedClose, volume] = numbers.map((name) =>
      parseNumber(cells[name] ?? '', where),
    );
    const timestamp = parseDate(cells[date] ?? '', where);
    if (timestamp <= (rows.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY)) {
      throw new Error(`${where}: the date is not after that of the row before.`);
    }
    rows.push({
      timestamp,
      open: open ?? Number.NaN,
      high: high ?? Number.NaN,
      low: low ?? Number.NaN,
      close: close ?? Number.NaN,
      adjustedClose: adjustedClose ?? Number.NaN,
      volume: volume ?? Number.NaN,
    });
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`${file.package}/${file.path} has no rows.`);
  return { rows, first, last };
}

/**
 * Converts a row to a bar. The adjustment `all` scales every price by adjusted close / close. The adjusted close of the
 * file is not used as the close: scaling the close keeps a close that equals the high exactly equal to it.
 */
export function adjustRow(row: DailyRow, adjustment: Adjustment): RawBar {
  const factor = adjustment === 'all' ? row.adjustedClose / row.close : 1;
  return {
    timestamp: row.timestamp,
    open: row.open * factor,
    high: row.high * factor,
    low: row.low * factor,
    close: row.close * factor,
    volume: row.volume,
  };
}
