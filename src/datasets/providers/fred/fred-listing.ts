import { malformed, type ProviderClient, readRecord } from '../../../platform/index.ts';
import type { ListedEntry } from '../provider.ts';
import { type FredSeries, readSeriesList } from './fred-series.ts';
import { FRED, type FredSession, isSeriesId, requestFred } from './fred-session.ts';

/** The largest page that FRED sends. */
const PAGE_SIZE = 1_000;
/** FRED has some 800,000 series and no complete listing. The others are found by FRED's own search. */
const MAX_PAGES = 10;
const BATCH_SIZE = 250;
/** Requests for series by tag take several times longer than others. */
const ATTEMPT_MS = 30_000;

/** Yields the most popular series of whole countries. */
export async function* readListing(session: FredSession, http: ProviderClient): AsyncGenerator<readonly ListedEntry[]> {
  // The order by popularity may change between two pages.
  const listed = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page++) {
    const offset = page * PAGE_SIZE;
    const accept = (reply: unknown) => {
      const { offset: sent, seriess } = readRecord(FRED, reply);
      if (sent !== offset) throw malformed(FRED, 'another page');
      return readSeriesList(seriess);
    };
    const parameters = {
      tag_names: 'nation',
      order_by: 'popularity',
      sort_order: 'desc',
      limit: String(PAGE_SIZE),
      offset: String(offset),
    };
    const series = await requestFred(session, { path: 'tags/series', parameters, attemptMs: ATTEMPT_MS, accept }, http);
    const entries = series.flatMap(toEntry).filter(({ seriesId }) => !listed.has(seriesId) && listed.add(seriesId));
    for (let from = 0; from < entries.length; from += BATCH_SIZE) yield entries.slice(from, from + BATCH_SIZE);
    if (series.length < PAGE_SIZE) return;
  }
}

/** Returns what FRED's own search finds, the best first. */
export async function searchSeries(
  session: FredSession,
  query: string,
  limit: number,
  http: ProviderClient,
): Promise<readonly ListedEntry[]> {
  const text = query.trim();
  if (text === '' || limit < 1) return [];
  const parameters = {
    search_text: text,
    order_by: 'search_rank',
    limit: String(Math.min(limit, PAGE_SIZE)),
  };
  const accept = (reply: unknown) => readSeriesList(readRecord(FRED, reply).seriess);
  const series = await requestFred(session, { path: 'series/search', parameters, accept }, http);
  return series.flatMap(toEntry).slice(0, limit);
}

/** Returns the entry; nothing for a series whose frequency is not offered or whose id cannot be requested. */
function toEntry(series: FredSeries): ListedEntry[] {
  const { seriesId, title, frequency, seasonalAdjustment, units, span, lastUpdate } = series;
  if (!isSeriesId(seriesId) || !('frequency' in frequency)) return [];
  return [
    {
      seriesId,
      title,
      keywords: seasonalAdjustment === null ? [] : [seasonalAdjustment],
      frequency: frequency.frequency,
      units,
      span,
      lastUpdate,
    },
  ];
}
