import { malformed, type ProviderClient, readRecord, readRecords } from '../../../platform/index.ts';
import type { SeriesStructure } from '../provider.ts';
import { type FredSeries, parseDate, readSeriesRecord } from './fred-series.ts';
import {
  asOf,
  FRED,
  type FredSession,
  isSeriesId,
  isUnknownSeries,
  isWithoutVintages,
  requestFred,
  stoodOn,
} from './fred-session.ts';

/** FRED redistributes series of many publishers and names none of them together with a series. */
const PUBLISHER = 'Federal Reserve Bank of St. Louis';

/** The first and the last date of all vintages. Without them, FRED returns only what stands today. */
const ALL_VINTAGES = { realtime_start: '1776-07-04', realtime_end: '9999-12-31' };

/** Returns the structure of a series; null if there is none with this id. */
export async function readStructure(
  session: FredSession,
  seriesId: string,
  http: ProviderClient,
): Promise<SeriesStructure | null> {
  if (!isSeriesId(seriesId)) return null;
  try {
    const { seriesId: _, ...stated } = await readOneSeries(session, seriesId, undefined, http);
    const firstVintage = await readFirstVintage(session, seriesId, http);
    return { ...stated, publisher: PUBLISHER, dimensions: [], firstVintage };
  } catch (error) {
    if (isUnknownSeries(error)) return null;
    throw error;
  }
}

/**
 * Returns what FRED states about a series, today or on the date of a vintage: units such as "Billions of 1996 Dollars"
 * change with the vintages.
 */
export function readOneSeries(
  session: FredSession,
  seriesId: string,
  vintage: string | undefined,
  http: ProviderClient,
): Promise<FredSeries> {
  const accept = (reply: unknown) => {
    const [record, ...others] = readRecords(FRED, readRecord(FRED, reply).seriess);
    if (record === undefined || others.length > 0) throw malformed(FRED, 'not one series');
    const series = readSeriesRecord(record);
    if (series.seriesId !== seriesId) throw malformed(FRED, 'another series');
    if (vintage !== undefined && !stoodOn(vintage, record)) throw malformed(FRED, 'another vintage');
    return series;
  };
  return requestFred(session, { path: 'series', parameters: { series_id: seriesId, ...asOf(vintage) }, accept }, http);
}

/** Returns the date of the first vintage; null if FRED has only the current values. */
async function readFirstVintage(session: FredSession, seriesId: string, http: ProviderClient): Promise<string | null> {
  const accept = (reply: unknown) => {
    const dates = readRecord(FRED, reply).vintage_dates;
    if (!Array.isArray(dates) || dates.length > 1) throw malformed(FRED, 'not a list of one date');
    const date: unknown = dates[0];
    if (date === undefined) return null;
    if (typeof date !== 'string' || parseDate(date) === null) throw malformed(FRED, 'a date');
    return date;
  };
  const parameters = { series_id: seriesId, ...ALL_VINTAGES, sort_order: 'asc', limit: '1' };
  try {
    return await requestFred(session, { path: 'series/vintagedates', parameters, accept }, http);
  } catch (error) {
    if (isWithoutVintages(error)) return null;
    throw error;
  }
}
