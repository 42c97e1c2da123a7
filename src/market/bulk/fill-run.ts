import { DAY_MS, MINUTE_MS } from '../../calendar/index.ts';
import { type Clock, type Log, openProviderClient, type ProviderClient, ProviderError } from '../../platform/index.ts';
import type { MarketContext } from '../context.ts';
import { type BarStoreContext, readSeries } from '../store/read-series.ts';
import type { FilledProvider } from './assign-symbols.ts';
import type { DatesRead, FillClaim, FillProgress } from './fill-claim.ts';

/** The dependencies of the bulk reads. */
export interface FillContext extends BarStoreContext, Pick<MarketContext, 'providers' | 'directory' | 'licenses'> {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Minutes from the close of a session until its bars count as final. */
  readonly lagMinutes: number;
  /** The number of sessions that are kept in the store. Default: 400. */
  readonly sessions?: number | undefined;
}

/** The time limit for reading one group of symbols or one date. Its pages wait for the budget of the provider. */
const STEP_MS = 10 * MINUTE_MS;
/** The number of attempts to read one symbol that other callers leave no budget for. */
const MAX_ATTEMPTS = 3;

interface FillRunParts {
  readonly context: FillContext;
  readonly provider: FilledProvider;
  /** The symbols that are read from this provider. */
  readonly symbols: readonly string[];
  /** The sessions to store, oldest first. The last one is the session of the fill. */
  readonly sessions: readonly number[];
  readonly claim: FillClaim;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FillProgress) => void;
}

/** One attempt to fill the bars of one provider. */
export class FillRun {
  readonly context: FillContext;
  readonly symbols: readonly string[];
  readonly sessions: readonly number[];
  readonly claim: FillClaim;
  readonly signal: AbortSignal;
  readonly #provider: FilledProvider;
  readonly #onProgress: (progress: FillProgress) => void;
  #skipped: ProviderError | null = null;

  constructor({ context, provider, symbols, sessions, claim, signal, onProgress }: FillRunParts) {
    this.context = context;
    this.#provider = provider;
    this.symbols = symbols;
    this.sessions = sessions;
    this.claim = claim;
    this.signal = signal;
    this.#onProgress = onProgress;
  }

  /** The oldest session to store. */
  get first(): number {
    return this.sessions[0] as number;
  }

  get session(): number {
    return this.sessions.at(-1) as number;
  }

  /** The error of a symbol that was left out; null if none was. */
  get skipped(): ProviderError | null {
    return this.#skipped;
  }

  now(): number {
    return this.context.clock.now().getTime();
  }

  openClient(): ProviderClient {
    return openProviderClient(this.context, this.#provider, { signal: this.signal, totalMs: STEP_MS });
  }

  async report(progress: FillProgress, dates?: DatesRead): Promise<void> {
    await this.claim.record(progress, this.context.clock.now(), dates);
    this.#onProgress(progress);
  }

  /** Leaves out symbols for which the provider sends invalid replies, because the others must not wait for them. */
  skip(symbols: readonly string[], error: ProviderError): void {
    this.context.log.warn({ err: error, provider: this.#provider.id, symbols }, 'daily bars could not be read');
    this.#skipped = error;
  }

  /** Reads each symbol with requests of its own, and replaces what is stored of it if that has changed. */
  async readAlone(symbols: readonly string[]): Promise<void> {
    for (const symbol of symbols) {
      this.signal.throwIfAborted();
      try {
        await this.#readSeries(symbol);
      } catch (error) {
        if (!isOfSymbols(error)) throw error;
        if (error.fault !== 'NOT_FOUND') this.skip([symbol], error);
      }
    }
  }

  async #readSeries(symbol: string): Promise<void> {
    const provider = this.#provider;
    const key = { symbol, frequency: '1D', adjustment: 'split', side: provider.sides[0] } as const;
    const { signal, sessions } = this;
    for (let attempt = 1; ; attempt++) {
      const window = { start: this.first, end: this.session + DAY_MS, limit: sessions.length, at: this.now(), signal };
      try {
        await readSeries(this.context, provider, key, window);
        return;
      } catch (error) {
        const isBusy = error instanceof ProviderError && error.fault === 'RATE_LIMITED';
        if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** Returns whether the cause of an error may be the requested symbols rather than the provider. */
export function isOfSymbols(error: unknown): error is ProviderError {
  return error instanceof ProviderError && ['NOT_FOUND', 'REJECTED', 'MALFORMED'].includes(error.fault);
}
