import type { SeriesKind } from '../../calendar/index.ts';
import type { BarQuery } from '../bars.ts';
import { type CheckedBars, checkBars } from '../check-bars.ts';
import type { BarPage, MarketProvider, RawBar } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import type { ProviderHttp } from './provider-http.ts';

interface CollectOptions {
  readonly http: ProviderHttp;
  /** The current time in milliseconds. */
  readonly at: number;
  /** The kind of the series; by default that of the provider. */
  readonly kind?: SeriesKind | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CollectedBars extends CheckedBars {
  /** Whether the provider has no older bars for this query. */
  readonly reachedStart: boolean;
}

/**
 * Reads pages, the latest first, until there are enough valid bars or no more pages. Throws a `ProviderError` if the
 * provider fails.
 */
export async function collectBars(
  provider: MarketProvider,
  query: BarQuery,
  { http, at, kind = provider.kind, signal }: CollectOptions,
): Promise<CollectedBars> {
  const check = (rows: readonly RawBar[]) => checkBars(rows, query, at, kind);
  const pages = new PageLoopDetector(provider.id);
  const rows: RawBar[] = [];
  let valid = 0;
  let token: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page: BarPage = await provider.fetchPage(query, token, http);
    // Not push(...page.bars), because a page may have more rows than a call can have arguments.
    for (const row of page.bars) rows.push(row);
    const validTimes = check(page.bars).bars.timestamps;
    valid += validTimes.length;
    token = isBeforeStart(page, query) ? null : page.olderToken;
    // Pages may overlap, so the sum over the pages may exceed the number of distinct bars.
    if (token === null || valid >= query.limit) {
      const checked = check(rows);
      const isFull = checked.bars.timestamps.length >= query.limit;
      if (token === null || isFull) {
        return { ...checked, reachedStart: token === null && rows.length - countDropped(checked) <= query.limit };
      }
    }
    pages.observe(page, token, validTimes[0]);
  }
}

/**
 * Returns whether a page lies entirely before the start, so that no further page is needed: later pages are even older.
 * Some protocols cannot state a start.
 */
function isBeforeStart({ bars }: BarPage, { start }: BarQuery): boolean {
  if (start === undefined || bars.length === 0) return false;
  return bars.every(({ timestamp }) => typeof timestamp === 'number' && timestamp < start);
}

function countDropped({ dropped }: CheckedBars): number {
  return Object.values(dropped).reduce((sum, count) => sum + count, 0);
}

const MAX_PAGES = 1_000;
const MAX_EMPTY_PAGES = 20;
const MAX_PAGES_WITHOUT_PROGRESS = 1;

/** Throws a `ProviderError` with the fault PAGE_LOOP if the pages of a provider no longer advance. */
class PageLoopDetector {
  readonly #provider: string;
  readonly #tokens = new Set<string>();
  #pages = 0;
  #emptyInARow = 0;
  #withoutProgress = 0;
  #oldest = Number.POSITIVE_INFINITY;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /**
   * @param oldest the timestamp of the oldest valid bar of the page. Invalid rows count as progress, but an invalid
   * date must not become the oldest timestamp, because no later page could be older
   */
  observe({ bars }: BarPage, token: string, oldest: number | undefined): void {
    this.#pages += 1;
    if (bars.length === 0) {
      this.#emptyInARow += 1;
    } else {
      this.#emptyInARow = 0;
      const isOlder = bars.some(({ timestamp }) => typeof timestamp === 'number' && timestamp < this.#oldest);
      this.#withoutProgress = isOlder ? 0 : this.#withoutProgress + 1;
    }
    this.#oldest = Math.min(this.#oldest, oldest ?? this.#oldest);
    const isLoop =
      this.#tokens.has(token) ||
      this.#pages >= MAX_PAGES ||
      this.#emptyInARow > MAX_EMPTY_PAGES ||
      this.#withoutProgress > MAX_PAGES_WITHOUT_PROGRESS;
    if (isLoop) throw new ProviderError(this.#provider, 'PAGE_LOOP');
    this.#tokens.add(token);
  }
}
