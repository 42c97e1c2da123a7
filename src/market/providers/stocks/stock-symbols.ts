import type { ListedInstrument } from '../provider.ts';

/**
 * A root of at most five letters, and the class or kind of a share: BRK.B, ACHR.WS, BAC.PRK. A suffix of three other
 * letters would make EUR/USD a stock.
 */
const SYMBOL = /^[A-Z]{1,5}(?:\.(?:[A-Z]{1,2}|PR[A-Z]))?$/;

/**
 * Returns the canonical spelling of a symbol of a US stock; null for a text that cannot be one.
 *
 * @example canonicalStockSymbol('brk-b') // 'BRK.B'
 */
export function canonicalStockSymbol(symbol: string): string | null {
  const canonical = symbol.trim().toUpperCase().replace(/[-/]/, '.');
  return SYMBOL.test(canonical) ? canonical : null;
}

/** Returns the other spellings of a canonical symbol. @example otherSpellings('BRK.B') // ['BRK-B', 'BRK/B'] */
export function otherSpellings(symbol: string): string[] {
  return symbol.includes('.') ? [symbol.replace('.', '-'), symbol.replace('.', '/')] : [];
}

/** The name of each exchange by its codes: those of Alpaca and the ISO 10383 codes of Massive. */
const EXCHANGES: Readonly<Record<string, string>> = {
  NASDAQ: 'NASDAQ',
  XNAS: 'NASDAQ',
  NYSE: 'NYSE',
  XNYS: 'NYSE',
  AMEX: 'NYSE American',
  XASE: 'NYSE American',
  ARCA: 'NYSE Arca',
  NYSEARCA: 'NYSE Arca',
  ARCX: 'NYSE Arca',
  BATS: 'Cboe BZX',
  IEXG: 'IEX',
  OTC: 'OTC',
  OTCM: 'OTC',
};

/** Returns the name of an exchange; null for an unknown code. */
export function exchangeName(code: unknown): string | null {
  return typeof code === 'string' && Object.hasOwn(EXCHANGES, code) ? (EXCHANGES[code] as string) : null;
}

/**
 * Removes the symbols that were listed before. A listing states active instruments first, so that a symbol that another
 * company uses again is listed as active.
 */
export class ListedOnce {
  readonly #symbols = new Set<string>();

  select(instruments: readonly ListedInstrument[]): ListedInstrument[] {
    return instruments.filter(({ symbol }) => {
      if (this.#symbols.has(symbol)) return false;
      this.#symbols.add(symbol);
      return true;
    });
  }
}
