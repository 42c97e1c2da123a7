import { HOUR_MS } from '../../calendar/index.ts';
import {
  cleanText,
  type ListingContext,
  LruCache,
  openProviderClient,
  ProviderError,
  waitUnlessAborted,
} from '../../platform/index.ts';
import type { EconomicAdapter } from '../providers/provider.ts';
import { readVersions } from './read-series.ts';
import { type SeriesRow, toSeriesRow } from './series-row.ts';
import { writeFound } from './write-found.ts';

export interface FindContext extends ListingContext {
  readonly adapters: readonly EconomicAdapter[];
  /** The time limit of a provider's search. Default: FIND_MS. */
  readonly findMs?: number | undefined;
}

export interface FindResult {
  /** Whether the found series have changed. */
  readonly isChanged: boolean;
  /** The ids of the providers that failed or did not reply in time. */
  readonly unavailable: readonly string[];
}

export const FIND_MS = 1_500;
/** A client stops this much earlier, so that the breaker counts a provider that does not reply. */
const RECORD_MS = 100;
const MAX_HITS = 20;
/**
 * Searches have a budget of their own, because callers without an account can search, and must not use up the budget
 * for reading series.
 */
const SEARCHES_PER_MINUTE = 40;
const MIN_QUERY_LENGTH = 2;
const MAX_QUERY_LENGTH = 100;
/** How long a query is not sent again to a provider that answered it. */
const ANSWER_LIFETIME_MS = HOUR_MS;
const MAX_ANSWERED = 2_000;
const NOTHING: FindResult = { isChanged: false, unavailable: [] };

type Search = NonNullable<EconomicAdapter['search']>;
type SearchingAdapter = EconomicAdapter & { readonly search: Search };

/** Returns the function that sends a query to the providers' own searches and stores what they find. */
export function createFind(context: FindContext): (query: string, signal?: AbortSignal) => Promise<FindResult> {
  const { database, clock } = context;
  const searching = context.adapters.filter(hasSearch);
  /** The time of the last answer, by provider and query. */
  const answered = new LruCache<string, number>({ maxEntries: MAX_ANSWERED });
  const running = new Map<string, Promise<FindResult>>();

  function wasAnswered(key: string, now: number): boolean {
    const at = answered.get(key);
    return at !== undefined && Math.abs(now - at) < ANSWER_LIFETIME_MS;
  }

  async function send(query: string): Promise<FindResult> {
    const now = clock.now();
    const due = searching.filter(({ id }) => !wasAnswered(`${id} ${query}`, now.getTime()));
    if (due.length === 0) return NOTHING;
    const used = await selectUsed(context, due);
    const replies = await Promise.all(
      used.map(async (adapter) => ({ id: adapter.id, hits: await searchProvider(context, adapter, query) })),
    );
    const hits = new Map(replies.flatMap(({ id, hits }) => (hits === null ? [] : [[id, hits] as const])));
    const isChanged = await writeFound(database, hits, now);
    for (const id of hits.keys()) answered.set(`${id} ${query}`, now.getTime());
    return { isChanged, unavailable: replies.flatMap(({ id, hits }) => (hits === null ? [id] : [])) };
  }

  return async (text, signal) => {
    signal?.throwIfAborted();
    const query = cleanText(text, 2 * MAX_QUERY_LENGTH).toLowerCase();
    if (query.length < MIN_QUERY_LENGTH || query.length > MAX_QUERY_LENGTH) return NOTHING;
    // The requests are shared, so they do not end with the caller that sent the query first.
    const result = running.get(query) ?? send(query).finally(() => running.delete(query));
    running.set(query, result);
    return waitUnlessAborted(result, signal);
  };
}

function hasSearch(adapter: EconomicAdapter): adapter is SearchingAdapter {
  return adapter.search !== undefined;
}

/** Returns the adapters that take part: those with a key, and the others once their listing was read. */
async function selectUsed(
  { database }: FindContext,
  adapters: readonly SearchingAdapter[],
): Promise<readonly SearchingAdapter[]> {
  const versions = await readVersions(
    database,
    adapters.map(({ id }) => id),
  );
  return adapters.filter(({ id, isKeyless }) => !isKeyless || (versions.get(id)?.version ?? 0) > 0);
}

/** Returns what the search of a provider finds, nothing if it refuses the words; null if it fails or takes too long. */
async function searchProvider(
  { database, clock, log, findMs = FIND_MS }: FindContext,
  adapter: SearchingAdapter,
  query: string,
): Promise<readonly SeriesRow[] | null> {
  const provider = { id: `${adapter.id}-search`, requestsPerMinute: SEARCHES_PER_MINUTE };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new ProviderError(provider.id, 'TIMEOUT')), findMs);
  const totalMs = Math.max(1, findMs - RECORD_MS);
  try {
    const http = openProviderClient({ database, clock }, provider, {
      signal: limit.signal,
      totalMs,
      attemptMs: totalMs,
    });
    return toHits(await waitUnlessAborted(adapter.search(query, MAX_HITS, http), limit.signal));
  } catch (error) {
    const details = { err: error, provider: adapter.id };
    // A provider that refuses the words has answered: it finds nothing.
    if (error instanceof ProviderError && error.fault === 'REJECTED') return [];
    if (!(error instanceof ProviderError)) log.error(details, 'the search of a provider failed unexpectedly');
    // The others are the consequence of earlier ones, and would be logged with every search of a caller.
    else if (error.fault !== 'CIRCUIT_OPEN' && error.fault !== 'RATE_LIMITED') {
      log.warn(details, 'the search of a provider failed');
    }
    return null;
  } finally {
    clearTimeout(timer);
    // Ends the requests of a search that did not wait for them.
    limit.abort();
  }
}

/** Returns the usable entries, without duplicates. */
function toHits(entries: Awaited<ReturnType<Search>>): readonly SeriesRow[] {
  const hits = new Map<string, SeriesRow>();
  for (const entry of entries.slice(0, MAX_HITS)) {
    const row = toSeriesRow(entry);
    if (row !== null && !hits.has(row.series_id)) hits.set(row.series_id, row);
  }
  return [...hits.values()];
}
