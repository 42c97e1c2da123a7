import type { ListedInstrument } from '../provider.ts';

type InstrumentClass = 'pair' | 'metal' | 'coin';

/** An instrument of the bundled list. */
export interface BundledPair extends ListedInstrument {
  readonly class: InstrumentClass;
  readonly starts: HistoryStarts;
}

/** The instants at which the histories of an instrument begin. */
export interface HistoryStarts {
  /** Candles of minutes and hours. */
  readonly intraday: number;
  /** Candles of days, which often reach further back. */
  readonly days: number;
}

const NAMES: Readonly<Record<string, string>> = {
  AUD: 'Australian dollar',
  BTC: 'Bitcoin',
  CAD: 'Canadian dollar',
  CHF: 'Swiss franc',
  CNH: 'Chinese yuan (offshore)',
  ETH: 'Ether',
  EUR: 'Euro',
  GBP: 'Pound sterling',
  HKD: 'Hong Kong dollar',
  JPY: 'Japanese yen',
  LTC: 'Litecoin',
  MXN: 'Mexican peso',
  NOK: 'Norwegian krone',
  NZD: 'New Zealand dollar',
  PLN: 'Polish zloty',
  SEK: 'Swedish krona',
  SGD: 'Singapore dollar',
  TRY: 'Turkish lira',
  USD: 'US dollar',
  XAG: 'Silver',
  XAU: 'Gold',
  XPD: 'Palladium',
  XPT: 'Platinum',
  ZAR: 'South African rand',
};

type Row = readonly [code: string, intraday: string, days: string, ...aliases: string[]];

// The dates are those that the feed itself stated in July 2026 (`histories` of an instrument, as dukascopy-node 1.49
// recorded them). The intraday date is that of the hours: for coins the feed states a date for minutes on which no
// coin existed.
const PAIRS: readonly Row[] = [
  ['EUR-USD', '2003-05-04', '1973-03-01', 'euro dollar'],
  ['GBP-USD', '2003-05-04', '1986-02-10', 'British pound', 'cable'],
  ['USD-JPY', '2003-05-04', '1986-02-10', 'dollar yen'],
  ['USD-CHF', '2003-05-04', '1986-02-10', 'swissie'],
  ['AUD-USD', '2003-08-03', '1993-01-04', 'aussie'],
  ['USD-CAD', '2003-08-03', '1986-02-10', 'loonie'],
  ['NZD-USD', '2003-08-03', '1991-07-08', 'kiwi'],
  ['EUR-GBP', '2003-08-03', '1995-04-14', 'British pound'],
  ['EUR-JPY', '2003-08-03', '1989-06-28'],
  ['EUR-CHF', '2003-08-03', '1991-01-14'],
  ['EUR-AUD', '2005-10-07', '1991-10-09'],
  ['EUR-CAD', '2004-10-25', '1991-10-09'],
  ['GBP-JPY', '2003-08-03', '1991-01-02', 'British pound'],
  ['GBP-CHF', '2003-08-03', '1990-09-06', 'British pound'],
  ['GBP-AUD', '2006-03-22', '1991-01-30', 'British pound'],
  ['AUD-JPY', '2003-11-30', '1991-02-04'],
  ['AUD-NZD', '2006-12-12', '1993-12-21'],
  ['AUD-CAD', '2006-01-03', '1992-11-18'],
  ['CAD-JPY', '2004-10-25', '1993-02-23'],
  ['CHF-JPY', '2003-08-03', '1990-12-03'],
  ['NZD-JPY', '2006-01-02', '1998-10-01'],
  ['EUR-SEK', '2004-10-27', '1992-11-20'],
  ['EUR-NOK', '2004-10-25', '1991-06-03'],
  ['EUR-PLN', '2007-03-13', '1999-06-03'],
  ['USD-SEK', '2003-08-03', '1991-07-16'],
  ['USD-NOK', '2003-08-03', '1991-03-27'],
  ['USD-MXN', '2007-03-13', '1995-03-31'],
  ['USD-ZAR', '2003-08-03', '1991-11-25'],
  ['USD-TRY', '2007-03-13', '2001-10-18'],
  ['USD-SGD', '2004-11-16', '1991-01-21'],
  ['USD-HKD', '2007-03-13', '1986-03-17'],
  ['USD-CNH', '2012-06-26', '2012-01-02', 'renminbi', 'yuan'],
];
const METALS: readonly Row[] = [
  ['XAU-USD', '2003-05-05', '1999-06-03', 'gold', 'gold price', 'spot gold'],
  ['XAG-USD', '2003-05-04', '1999-06-03', 'silver', 'silver price', 'spot silver'],
  ['XPT.CMD-USD', '2021-11-01', '2021-11-01', 'platinum', 'platinum price'],
  ['XPD.CMD-USD', '2021-07-04', '2021-07-04', 'palladium', 'palladium price'],
];
const COINS: readonly Row[] = [
  ['BTC-USD', '2017-05-07', '2017-05-07', 'bitcoin', 'BTC', 'crypto'],
  ['ETH-USD', '2017-12-11', '2017-12-11', 'ethereum', 'ether', 'ETH', 'crypto'],
  ['LTC-USD', '2018-09-03', '2018-09-03', 'litecoin', 'LTC', 'crypto'],
  ['BTC-EUR', '2018-05-15', '2018-05-15', 'bitcoin', 'BTC', 'crypto'],
];

/** The instruments that are served until the listing of the feed has been read, by symbol. */
export const BUNDLED_PAIRS: ReadonlyMap<string, BundledPair> = new Map(
  [...PAIRS.map(readRow('pair')), ...METALS.map(readRow('metal')), ...COINS.map(readRow('coin'))].map((one) => [
    one.symbol,
    one,
  ]),
);

function readRow(instrumentClass: InstrumentClass): (row: Row) => BundledPair {
  return ([code, intraday, days, ...aliases]) => {
    const parts = splitCode(code);
    if (parts === null) throw new Error(`${code} is not a code.`);
    const { base, quote } = parts;
    return {
      symbol: base + quote,
      name: `${NAMES[base]} / ${NAMES[quote]}`,
      aliases: [code, `${base}/${quote}`, ...aliases],
      exchange: null,
      class: instrumentClass,
      units: quote,
      status: 'active',
      starts: { intraday: Date.parse(intraday), days: Date.parse(days) },
    };
  };
}

/**
 * Returns the two parts of a code such as EUR-USD or XPT.CMD-USD, whose base is XPT; null for a code of another form.
 */
export function splitCode(code: string): { readonly base: string; readonly quote: string } | null {
  const [, base, quote] = /^([A-Z0-9]{2,12})(?:\.CMD)?-([A-Z]{3})$/.exec(code) ?? [];
  return base === undefined || quote === undefined ? null : { base, quote };
}

/**
 * Returns the code by which the feed names an instrument. It is one of the aliases, because a symbol alone does not
 * tell XPT-USD from XPT.CMD-USD.
 */
export function codeOf({ symbol, aliases }: ListedInstrument): string | null {
  const isCode = (alias: string) => {
    const parts = splitCode(alias);
    return parts !== null && parts.base + parts.quote === symbol;
  };
  return aliases.find(isCode) ?? null;
}

/** Returns EURUSD for EURUSD, EUR/USD, eur-usd, EUR_USD and EUR USD; null for a text that no symbol can have. */
export function compactSymbol(text: string): string | null {
  // Some letters outside ASCII have a capital letter in ASCII, such as the long s, whose capital is S.
  if (!/^[\x20-\x7e]+$/.test(text)) return null;
  const [, base, quote] = /^([A-Z0-9]{2,12})(?:\.CMD)?[-/_ ]?([A-Z]{3})$/.exec(text.toUpperCase()) ?? [];
  return base === undefined || quote === undefined ? null : base + quote;
}
