import type { BarQuery, BarTable } from '../bars.ts';
import type { MarketContext } from '../context.ts';
import { deniedLicense } from '../denied-license.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { isBulk } from './bulk-provider.ts';
import { Patience } from './patience.ts';

export interface DaysWanted {
  readonly symbols: readonly string[];
  /** Sessions from this one on, and before `end`. */
  readonly start: number;
  readonly end: number;
  /** Bars that were complete at this instant. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** What came of one symbol. */
export interface DaysRead {
  readonly symbol: string;
  /** Who served it; null: nobody. */
  readonly provider: string | null;
  /** At least one; null: nobody has any. */
  readonly bars: BarTable | null;
  /** Why somebody who should have served it did not. */
  readonly failure: ProviderError | null;
}

/** So many are in memory at once. */
const AT_ONCE = 500;
const MAX_DAYS = 50_000;

/**
 * Split-adjusted daily bars of many symbols, some of them at a time. Each comes from the first provider that has any,
 * entirely: bars of two providers are never put together.
 */
export async function* readDays(market: MarketContext, wanted: DaysWanted): AsyncGenerator<readonly DaysRead[]> {
  const patience = new Patience();
  for (let from = 0; from < wanted.symbols.length; from += AT_ONCE) {
    yield await readSome(market, patience, { ...wanted, symbols: wanted.symbols.slice(from, from + AT_ONCE) });
  }
}

async function readSome(market: MarketContext, patience: Patience, wanted: DaysWanted): Promise<readonly DaysRead[]> {
  const found = new Map<string, { readonly provider: string; readonly bars: BarTable }>();
  const failures = new Map<string, ProviderError>();
  for (const provider of market.providers) {
    if (provider.kind !== 'exchange') continue;
    const left = wanted.symbols.filter((symbol) => !found.has(symbol));
    const symbols = await servable(market, provider, left, wanted);
    const questions = inParts(symbols, isBulk(provider) ? provider.bulk.mostSymbols : 1);
    for (let asked = questions.shift(); asked !== undefined; asked = questions.shift()) {
      try {
        const spent = patience.spentOn(provider.id);
        if (spent !== null) throw spent;
        const days = await readFrom(market, provider, { ...wanted, symbols: asked });
        patience.answered(provider.id);
        for (const [symbol, bars] of days) found.set(symbol, { provider: provider.id, bars });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        // One of them may be to blame: it must not cost the others their bars.
        const isOfOne = OF_SYMBOLS.includes(error.fault) && asked.length > 1 && patience.spentOn(provider.id) === null;
        if (isOfOne && patience.mayDivide()) {
          questions.unshift(...inParts(asked, Math.ceil(asked.length / 2)));
          continue;
        }
        if (error.fault === 'UNKNOWN_SYMBOL' && asked.length === 1) continue;
        if (!isOfOne) patience.failed(error);
        for (const symbol of asked) failures.set(symbol, error);
      }
    }
  }
  return wanted.symbols.map((symbol) => ({
    symbol,
    ...(found.get(symbol) ?? { provider: null, bars: null }),
    failure: failures.get(symbol) ?? null,
  }));
}

/** What may be wrong with a symbol, and not with the provider. */
const OF_SYMBOLS: readonly ProviderError['fault'][] = ['UNKNOWN_SYMBOL', 'MALFORMED'];

function inParts(symbols: readonly string[], size: number): (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let from = 0; from < symbols.length; from += size) parts.push(symbols.slice(from, from + size));
  return parts;
}

/** The symbols that a provider could have, and may show. */
async function servable(
  market: MarketContext,
  provider: MarketProvider,
  symbols: readonly string[],
  wanted: DaysWanted,
): Promise<readonly string[]> {
  const able = symbols.filter((symbol) => provider.refuses(queryOf(symbol, wanted)) === null);
  if (market.licenses.isOpen) return able;
  const allowed: string[] = [];
  for (const symbol of able) {
    if ((await deniedLicense(market, provider, symbol, wanted.signal)) === null) allowed.push(symbol);
  }
  return allowed;
}

async function readFrom(
  market: MarketContext,
  provider: MarketProvider,
  wanted: DaysWanted,
): Promise<ReadonlyMap<string, BarTable>> {
  const { symbols, start, end, at, signal } = wanted;
  if (isBulk(provider)) {
    return market.collectDays(
      provider,
      { symbols, adjustment: 'split', session: 'regular', start, end },
      { at, signal },
    );
  }
  const days = new Map<string, BarTable>();
  for (const symbol of symbols) {
    const { bars } = await market.collect(provider, queryOf(symbol, wanted), { at, signal });
    if (bars.timestamps.length > 0) days.set(symbol, bars);
  }
  return days;
}

function queryOf(symbol: string, { start, end }: DaysWanted): BarQuery {
  return {
    symbol,
    frequency: '1D',
    adjustment: 'split',
    session: 'regular',
    priceSide: 'bid',
    start,
    end,
    limit: MAX_DAYS,
  };
}
