import { malformed, type ProviderClient, ProviderError } from '../../platform/index.ts';
import { type CheckedBars, checkBars, type Drop } from '../check-bars.ts';
import type { BarPage, MarketProvider, PageQuery, RawBar } from './provider.ts';

interface CollectOptions {
  readonly http: ProviderClient;
  /** The current time in milliseconds. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CollectedBars extends CheckedBars {
  /** Whether the provider has no older bars for this query. */
  readonly reachedStart: boolean;
  /** The bars are complete from this instant on. Older bars were not read. */
  readonly completeFrom: number;
}

/** A reply with at least this number of invalid rows fails if they are more than this share of its rows. */
const MIN_INVALID = 3;
const MAX_INVALID_SHARE = 0.1;

/**
 * Reads pages, the latest first, until there are enough valid bars, no more pages, or as many pages as one read may
 * request. Bars of all hours are kept. Throws a `ProviderError` if the provider fails, or if so many rows of a reply are
 * invalid that the others cannot be trusted either.
 */
export async function collectBars(
  provider: MarketProvider,
  query: PageQuery,
  { http, at, signal }: CollectOptions,
): Promise<CollectedBars> {
  const kind = provider.kindOf(query.symbol);
  // The bar of a day is that of its regular hours.
  const session = query.frequency === '1D' ? 'regular' : 'extended';
  const check = (rows: readonly RawBar[], onDrop?: (drop: Drop) => void) =>
    checkBars(rows, { ...query, session }, at, kind, onDrop);
  const pages = new PageLoopDetector(provider.id);
  const rows: RawBar[] = [];
  let valid = 0;
  let token: string | null = null;
  for (let requested = 1; ; requested++) {
    signal?.throwIfAborted();
    const page: BarPage = await provider.fetchPage(query, token, http);
    // Not push(...page.bars), because a page may have more rows than a call can have arguments.
    for (const row of page.bars) rows.push(row);
    let invalid = 0;
    const { bars, dropped } = check(page.bars, (drop) => {
      if (drop.isInvalid) invalid += drop.rows;
    });
    const judged = page.bars.length - (dropped.outside_the_request ?? 0);
    if (invalid >= MIN_INVALID && invalid > judged * MAX_INVALID_SHARE) {
      throw malformed(provider.id, 'too many invalid rows');
    }
    const validTimes = bars.timestamps;
    valid += validTimes.length;
    token = isBeforeStart(page, query) ? null : page.olderToken;
    // Pages may overlap, so the sum over the pages may exceed the number of distinct bars.
    const isLast = token === null || requested === provider.maxPagesPerRead;
    if (isLast || valid >= query.limit) {
      const checked = check(rows);
      const isFull = checked.bars.timestamps.length >= query.limit;
      if (isLast || isFull) {
        const reachedStart = token === null && rows.length - countDropped(checked) <= query.limit;
        return { ...checked, reachedStart, completeFrom: findCompleteFrom(query, checked, page, reachedStart) };
      }
    }
    if (token === null) throw new Error('The last page was not returned.');
    pages.observe(page, token, validTimes[0]);
  }
}

/**
 * Returns whether a page lies entirely before the start, so that no further page is needed: later pages are even older.
 * Some protocols cannot state a start.
 */
function isBeforeStart({ bars }: BarPage, { start }: PageQuery): boolean {
  if (start === undefined || bars.length === 0) return false;
  return bars.every(({ timestamp }) => typeof timestamp === 'number' && timestamp < start);
}

/**
 * Returns the instant from which the bars of a query are complete: that of the oldest bar, or of the oldest page if it
 * has no valid bars.
 */
function findCompleteFrom(
  { start, end, limit }: PageQuery,
  { bars: { timestamps } }: CheckedBars,
  oldest: BarPage,
  reachedStart: boolean,
): number {
  if (reachedStart) return start ?? Number.NEGATIVE_INFINITY;
  const [first] = timestamps;
  if (first !== undefined && timestamps.length >= limit) return first;
  return oldest.from ?? first ?? end;
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
