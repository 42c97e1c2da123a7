import { HOUR_MS } from '../../calendar/index.ts';
import {
  type Clock,
  type Log,
  openProviderClient,
  type ProviderClient,
  ProviderError,
  systemClock,
  waitUnlessAborted,
} from '../../platform/index.ts';
import type { MarketProvider, SeriesKey } from '../providers/provider.ts';
import { answerWindow, instantOf, type StoredBars } from './answer-window.ts';
import { NO_BARS } from './bar-tables.ts';
import { DamagedChunkError } from './chunk-codec.ts';
import type { Range } from './coverage.ts';
import { fetchBars } from './fetch-bars.ts';
import { loadChunks, loadSeries, type SeriesName } from './load-series.ts';
import { type FetchPlan, planFetch, resolveWindow, type SeriesWindow, type WantedBars } from './plan-fetch.ts';
import { planRepair } from './plan-repair.ts';
import { sharedFetches } from './shared-fetches.ts';
import { countAddedBytes, type StoreSizeContext } from './store-size.ts';
import { countBars, type FetchedBars, mergeFetched, NO_SERIES, type StoredSeries } from './stored-series.ts';
import { deleteSeries, recordUse, writeSeries } from './write-series.ts';

/** The dependencies of the bar store. */
export interface BarStoreContext extends StoreSizeContext {
  readonly clock?: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** More requests than any window needs. */
const MAX_FETCHES = 8;

/**
 * Returns bars of a series from the store. The provider is requested only if the store does not have them, if newer bars
 * can have ended, or if adjusted prices must be checked. Throws a `ProviderError` if it fails then.
 */
export async function readSeries(
  context: BarStoreContext,
  provider: MarketProvider,
  key: SeriesKey,
  window: SeriesWindow,
): Promise<StoredBars> {
  const now = (context.clock ?? systemClock).now().getTime();
  return new SeriesReader(context, provider, key, window, now).read();
}

/** One read of a series. */
class SeriesReader {
  readonly #context: BarStoreContext;
  readonly #provider: MarketProvider;
  readonly #key: SeriesKey;
  readonly #window: SeriesWindow;
  readonly #now: number;
  readonly #name: SeriesName;
  #series: StoredSeries = NO_SERIES;
  #canReadOlder = true;
  #isRepaired = false;
  /** Whether another process keeps changing the series, so that this read no longer stores anything. */
  #isDetached = false;
  #resolved: { readonly delayMinutes: number; readonly wanted: WantedBars } | undefined;
  #discards = 0;
  #http: ProviderClient | undefined;
  #addedBytes = 0;

  constructor(context: BarStoreContext, provider: MarketProvider, key: SeriesKey, window: SeriesWindow, now: number) {
    this.#context = context;
    this.#provider = provider;
    this.#key = key;
    this.#window = window;
    this.#now = now;
    this.#name = { ...key, provider: provider.id };
  }

  async read(): Promise<StoredBars> {
    const { from, to } = this.#wanted();
    if (to <= from || (this.#provider.earliest !== null && to <= this.#provider.earliest)) {
      return { bars: NO_BARS, dropped: {}, reachedStart: true, completeFrom: instantOf(from) };
    }
    try {
      await this.#fetchMissing();
    } finally {
      if (this.#addedBytes > 0) await countAddedBytes(this.#context, this.#addedBytes);
    }
    await this.#recordUse();
    return answerWindow(this.#series, this.#wanted());
  }

  /** Returns what the window means. A provider may report with a reply that its bars are delayed. */
  #wanted(): WantedBars {
    const { delayMinutes } = this.#provider;
    if (this.#resolved?.delayMinutes !== delayMinutes) {
      this.#resolved = { delayMinutes, wanted: resolveWindow(this.#provider, this.#key, this.#window, this.#now) };
    }
    return this.#resolved.wanted;
  }

  async #fetchMissing(): Promise<void> {
    const { provider, symbol, frequency, adjustment, side } = this.#name;
    const id = JSON.stringify([provider, symbol, frequency, adjustment, side]);
    const fetches = sharedFetches(this.#context.database);
    let finished = fetches.countFinished(id);
    await this.#load();
    for (let fetched = 0; ; ) {
      const plan = this.#plan() ?? (fetches.canRepair(id, this.#now) ? this.#planRepair() : null);
      if (plan === null) return;
      const isOutdated = !this.#isDetached && fetches.countFinished(id) !== finished;
      const other = fetches.running(id);
      try {
        if (isOutdated || other !== undefined) {
          await waitUnlessAborted(other ?? Promise.resolve(), this.#window.signal);
        } else if (fetched++ === MAX_FETCHES) {
          throw new ProviderError(provider, 'MALFORMED', 'its bars change between requests');
        } else {
          this.#isRepaired ||= plan.isRepair === true;
          await fetches.run(id, () => this.#fetch(plan));
          finished = fetches.countFinished(id);
          continue;
        }
      } catch (error) {
        this.#window.signal?.throwIfAborted();
        if (error instanceof ProviderError && plan.isRepair) fetches.recordFailedRepair(id, this.#now);
        if (error instanceof ProviderError && plan.isOptional) return;
        // Another read may have failed for a reason of its own, such as the abort of its caller.
        if (other === undefined || error instanceof ProviderError) throw error;
      }
      finished = fetches.countFinished(id);
      await this.#load();
    }
  }

  #plan(): FetchPlan | null {
    const stored = (range: Range) => countBars(this.#series, range);
    return planFetch(this.#series.coverage, this.#wanted(), stored, this.#canReadOlder);
  }

  #planRepair(): FetchPlan | null {
    return this.#isRepaired ? null : planRepair(this.#series, this.#wanted());
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted();
    const load = () => loadSeries(this.#context.database, this.#name, wanted, wanted.limit);
    this.#series = await this.#unlessDamaged(load);
  }

  /** Loads bars. If they are damaged, the series is removed. */
  async #unlessDamaged<Loaded extends StoredSeries | null>(
    load: () => Promise<Loaded>,
  ): Promise<Loaded | StoredSeries> {
    try {
      return await load();
    } catch (err) {
      if (!(err instanceof DamagedChunkError)) throw err;
      const { provider, symbol, frequency } = this.#name;
      this.#context.log.warn({ err, provider, symbol, frequency }, 'stored bars are damaged and are read again');
      await deleteSeries(this.#context.database, this.#name);
      return NO_SERIES;
    }
  }

  async #fetch(plan: FetchPlan): Promise<void> {
    const { signal } = this.#window;
    // One client, because its time limit applies to all requests of a read together.
    this.#http ??= openProviderClient(this.#context, this.#provider, { signal });
    const options = { http: this.#http, signal };
    const fetched = await fetchBars(this.#provider, this.#key, plan, this.#wanted(), options);
    if (fetched.isCut) this.#canReadOlder = false;
    await this.#store(fetched);
  }

  /** Adds fetched bars to the series, in memory and in the store. */
  async #store(fetched: FetchedBars): Promise<void> {
    const { cadence } = this.#wanted();
    for (let attempt = 0; attempt < 3 && !this.#isDetached; attempt++) {
      const series = await this.#loadRange(fetched.range);
      const merged = series && mergeFetched(cadence, series, fetched);
      if (series && merged === null) return this.#discard();
      if (merged) {
        if (await this.#write(merged)) return;
      }
      await this.#load();
    }
    this.#isDetached = true;
    const merged = mergeFetched(cadence, this.#series, fetched);
    this.#series = (merged ?? mergeFetched(cadence, NO_SERIES, fetched))?.series ?? NO_SERIES;
  }

  /** Returns the series with the chunks of a range; null if it was changed since it was loaded. */
  async #loadRange(range: Range): Promise<StoredSeries | null> {
    const series = this.#series;
    if (series.id === null || series.coverage === null) return series;
    return this.#unlessDamaged(() => loadChunks(this.#context.database, series, this.#key.frequency, range));
  }

  async #write(merged: NonNullable<ReturnType<typeof mergeFetched>>): Promise<boolean> {
    const { database } = this.#context;
    const { series } = merged;
    // A symbol without bars, perhaps one that does not exist, is not stored.
    if (merged.isReplaced && series.coverage.lastBar === null) {
      if (series.id !== null) await deleteSeries(database, this.#name);
      this.#series = { ...series, id: null, version: 0 };
      return true;
    }
    const [written] = await writeSeries(database, [{ name: this.#name, merged }], this.#now);
    if (written === undefined || written === null) return false;
    this.#series = { ...written.series, usedAt: this.#now };
    this.#addedBytes += written.addedBytes;
    return true;
  }

  /** Continues without the stored bars. They are replaced by what is read next, unless that fails. */
  #discard(): void {
    const { provider, symbol, frequency, adjustment } = this.#name;
    this.#context.log.warn({ provider, symbol, frequency, adjustment }, 'settled bars have changed and are read again');
    this.#discards += 1;
    if (this.#discards > 1) throw new ProviderError(provider, 'MALFORMED', 'settled bars change between requests');
    this.#series = { ...this.#series, coverage: null, chunks: new Map() };
  }

  /** Records the use at most once an hour, so that not every read writes. */
  async #recordUse(): Promise<void> {
    const { id, usedAt } = this.#series;
    if (id === null || this.#now - usedAt < HOUR_MS) return;
    await recordUse(this.#context.database, id, this.#now);
  }
}
