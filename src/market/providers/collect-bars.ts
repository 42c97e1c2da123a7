import type { SeriesKind } from '../../calendar/index.ts';
import type { BarQuery } from '../bars.ts';
import { type CheckedBars, checkBars } from '../check-bars.ts';
import type { ProviderHttp } from './http.ts';
import { PageWatch } from './page-watch.ts';
import type { BarPage, MarketProvider, RawBar } from './provider.ts';

export interface CollectDeps {
  readonly http: ProviderHttp;
  /** Now, in milliseconds. */
  readonly at: number;
  /** Default: the provider's. */
  readonly kind?: SeriesKind | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CollectedBars extends CheckedBars {
  /** Whether the provider has no older bars of this query than these. */
  readonly reachedStart: boolean;
}

/** Reads pages, the latest first, until there are enough good bars or no more pages. Throws `ProviderError`. */
export async function collectBars(
  provider: MarketProvider,
  query: BarQuery,
  { http, at, kind = provider.kind, signal }: CollectDeps,
): Promise<CollectedBars> {
  const check = (rows: readonly RawBar[]) => checkBars(rows, query, at, kind);
  const watch = new PageWatch(provider.id);
  const rows: RawBar[] = [];
  let good = 0;
  let token: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page: BarPage = await provider.fetchPage(query, token, http);
    // Not push(...page.bars): a page may have more rows than a call may have arguments.
    for (const row of page.bars) rows.push(row);
    const ofPage = check(page.bars).bars.timestamps;
    good += ofPage.length;
    token = isBeforeStart(page, query) ? null : page.older;
    // Pages may overlap, so that enough in each may still be too few in all.
    if (token === null || good >= query.limit) {
      const checked = check(rows);
      const isFull = checked.bars.timestamps.length >= query.limit;
      if (token === null || isFull) {
        return { ...checked, reachedStart: token === null && rows.length - countDropped(checked) <= query.limit };
      }
    }
    watch.see(page, token, ofPage[0]);
  }
}

/** An adapter may not be able to tell its provider where to begin; what comes after this page is older still. */
function isBeforeStart({ bars }: BarPage, { start }: BarQuery): boolean {
  if (start === undefined || bars.length === 0) return false;
  return bars.every(({ timestamp }) => typeof timestamp === 'number' && timestamp < start);
}

function countDropped({ dropped }: CheckedBars): number {
  return Object.values(dropped).reduce((sum, count) => sum + count, 0);
}
