import { EARLIEST_INSTANT, MINUTE_MS } from '../../calendar/index.ts';
import type { ProviderClient } from '../../platform/index.ts';
import { checkBars } from '../check-bars.ts';
import { collectBars } from '../providers/collect-bars.ts';
import type { BarPage, MarketProvider, PageQuery, RawBar, SeriesKey } from '../providers/provider.ts';
import { rowsBetween } from './bar-tables.ts';
import { lastEndedBar } from './bar-times.ts';
import { hasDrops, locateDrops } from './dropped-rows.ts';
import type { FetchPlan, WantedBars } from './plan-fetch.ts';
import type { FetchedBars } from './stored-series.ts';

interface FetchOptions {
  readonly http: ProviderClient;
  readonly signal: AbortSignal | undefined;
}

/** The bars of a query, and whether all of them were read. */
export interface Fetched extends FetchedBars {
  /** Whether the provider sent as many pages as one read may request before it had sent all bars of the query. */
  readonly isCut: boolean;
}

/** Reads the bars of a plan from the provider. Throws a `ProviderError` if it fails; nothing is stored then. */
export async function fetchBars(
  provider: MarketProvider,
  key: SeriesKey,
  plan: FetchPlan,
  wanted: WantedBars,
  { http, signal }: FetchOptions,
): Promise<Fetched> {
  const { now, cadence } = wanted;
  const { symbol, frequency, adjustment, side } = key;
  const { start, end, limit } = plan;
  const query: PageQuery = { symbol, frequency, adjustment, side, start, end, limit };
  const recorded = recordPages(provider);
  const collected = await collectBars(recorded.provider, query, { http, at: now, signal });
  const { bars, completeFrom, reachedStart } = keepWholePages(provider, query, now, collected, recorded);
  // The adapter may have found out during the request that recent bars cannot be read yet.
  const latest = lastEndedBar(cadence, now - provider.delayMinutes * MINUTE_MS);
  const to = Math.min(end, latest + 1);
  const from = Math.min(to, Math.max(EARLIEST_INSTANT, completeFrom));
  return {
    range: {
      from,
      to,
      settledTo: wanted.settledTo,
      requestedAt: to === latest + 1 ? now : null,
      checkDate: wanted.checkDate,
    },
    bars: rowsBetween(bars, from, to),
    dropped: hasDrops(collected.dropped)
      ? locateDrops(recorded.rows, query, now, cadence.kind).filter(([time]) => time >= from && time < to)
      : [],
    isRepair: plan.isRepair,
    isCut: !reachedStart && bars.timestamps.length < limit,
  };
}

interface RecordedPages {
  readonly provider: MarketProvider;
  readonly rows: readonly RawBar[];
  lastPage(): BarPage | undefined;
}

function recordPages(provider: MarketProvider): RecordedPages {
  const rows: RawBar[] = [];
  let last: BarPage | undefined;
  const fetchPage: MarketProvider['fetchPage'] = async (query, token, http) => {
    last = await provider.fetchPage(query, token, http);
    for (const row of last.bars) rows.push(row);
    return last;
  };
  return { provider: Object.create(provider, { fetchPage: { value: fetchPage } }), rows, lastPage: () => last };
}

type Collected = Awaited<ReturnType<typeof collectBars>>;

/**
 * Returns all bars of the pages that were read, if a page is a file with all bars of a period: the bars beyond the
 * limit would otherwise have to be read again.
 */
function keepWholePages(
  provider: MarketProvider,
  query: PageQuery,
  now: number,
  collected: Collected,
  { rows, lastPage }: RecordedPages,
): Pick<Collected, 'bars' | 'completeFrom' | 'reachedStart'> {
  const page = lastPage();
  if (page?.from === undefined || collected.bars.timestamps.length < query.limit) return collected;
  const session = query.frequency === '1D' ? 'regular' : 'extended';
  const whole = { ...query, session, limit: rows.length } as const;
  const { bars } = checkBars(rows, whole, now, provider.kindOf(query.symbol));
  const reachedStart = page.olderToken === null;
  const from = reachedStart ? Number.NEGATIVE_INFINITY : page.from;
  return { bars, completeFrom: Math.max(from, query.start ?? from), reachedStart };
}
