import type { MarketReference, MarketSourceName } from '../../contract/index.ts';
import { createTextSharer } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { ListedInstrument } from '../providers/provider.ts';

type InstrumentClass = ListedInstrument['class'];

/** Further words by which a search finds the instruments of a class. */
const CLASS_KEYWORDS: Readonly<Record<InstrumentClass, readonly string[]>> = {
  stock: ['stock'],
  pair: ['currency pair', 'exchange rate', 'forex', 'FX'],
  metal: ['precious metal', 'commodity'],
  coin: ['cryptocurrency', 'crypto', 'coin'],
};

/**
 * An instrument of the directory as the search lists it. The search holds 150,000 of them, so an entry has only the
 * fields that differ, and derives the others.
 */
export class DirectoryEntry implements ListedSeries {
  readonly symbol: string;
  readonly title: string;
  readonly provider: string;
  readonly units: string;
  readonly status: ListedInstrument['status'];
  readonly #class: InstrumentClass;
  readonly #aliases: readonly string[] | null;
  readonly #exchange: string | null;
  readonly #namesProvider: boolean;

  /** @param namesProvider whether the reference names the provider, because its symbol alone selects another one */
  constructor(instrument: ListedInstrument, provider: string, namesProvider = false) {
    this.symbol = instrument.symbol;
    this.title = instrument.name;
    this.provider = provider;
    this.units = share(instrument.units);
    this.status = instrument.status === 'active' ? 'active' : 'delisted';
    this.#class = share(instrument.class);
    this.#aliases = instrument.aliases.length === 0 ? null : instrument.aliases;
    this.#exchange = instrument.exchange === null ? null : share(instrument.exchange);
    this.#namesProvider = namesProvider;
  }

  get source(): MarketReference {
    const { symbol, provider } = this;
    if (!this.#namesProvider) return { type: 'market', symbol, timeframe: '1D' };
    return { type: 'market', symbol, provider: provider as MarketSourceName, timeframe: '1D' };
  }

  get names(): readonly string[] {
    return this.#hasOwnNames() ? (this.#aliases ?? []) : [];
  }

  get keywords(): readonly string[] {
    const exchange = this.#exchange === null ? [] : [this.#exchange];
    return [...exchange, ...CLASS_KEYWORDS[this.#class]];
  }

  get frequency(): string {
    return '1D';
  }

  /** The directory does not tell which bars exist. */
  get span(): null {
    return null;
  }

  /**
   * Returns whether the aliases of a metal or coin mean this instrument: "gold" and "BTC" mean the price in dollars. The
   * price in another currency is found by its symbol and title.
   */
  #hasOwnNames(): boolean {
    return this.units === 'USD' || this.#class === 'stock' || this.#class === 'pair';
  }
}

/** Listings have some dozens of exchanges and currencies. */
const share = createTextSharer(1_000);
