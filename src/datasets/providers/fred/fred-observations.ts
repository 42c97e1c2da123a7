import { malformed, type ProviderClient, ProviderError, readRecord, readRecords } from '../../../platform/index.ts';
import type { RawObservation, RawSeries, Selection } from '../provider.ts';
import { parseDate } from './fred-series.ts';
import {
  asOf,
  FRED,
  type FredSession,
  isSeriesId,
  isUnknownSeries,
  OBSERVATIONS_PATH,
  requestFred,
  stoodOn,
} from './fred-session.ts';
import { readOneSeries } from './fred-structure.ts';

/** The largest page that FRED sends. */
const PAGE_ROWS = 100_000;
/** One million rows. The longest series of FRED has some 30,000. */
const MAX_PAGES = 10;

/** Returns the observations of a series, today's or those of a vintage; null if there is no such series. */
export async function readSeries(
  session: FredSession,
  { seriesId, vintage }: Selection,
  http: ProviderClient,
): Promise<RawSeries | null> {
  if (!isSeriesId(seriesId)) return null;
  try {
    const observations = await readObservations(session, seriesId, vintage, http);
    const series = await readOneSeries(session, seriesId, vintage, http);
    const { frequency, title, units, multiplier, seasonalAdjustment } = series;
    return {
      frequency,
      observations,
      details: {
        title,
        units,
        multiplier,
        seasonalAdjustment,
        // Read after the observations, today's instant could be that of later ones. A vintage does not change.
        ...(vintage !== undefined && { lastUpdate: null }),
      },
      flagLabels: {},
      footnotes: [],
    };
  } catch (error) {
    if (isUnknownSeries(error)) return null;
    throw error;
  }
}

async function readObservations(
  session: FredSession,
  seriesId: string,
  vintage: string | undefined,
  http: ProviderClient,
): Promise<readonly RawObservation[]> {
  const observations: RawObservation[] = [];
  let total: number | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const offset = observations.length;
    const parameters = {
      series_id: seriesId,
      sort_order: 'asc',
      limit: String(PAGE_ROWS),
      offset: String(offset),
      ...asOf(vintage),
    };
    const after = observations.at(-1)?.instant ?? Number.NEGATIVE_INFINITY;
    const accept = (reply: unknown) => {
      const read = readPage(readRecord(FRED, reply), { offset, after, vintage });
      if (total !== undefined && read.total !== total) throw malformed(FRED, 'another number of observations');
      return read;
    };
    const read = await requestFred(session, { path: OBSERVATIONS_PATH, parameters, accept }, http);
    total = read.total;
    for (const row of read.rows) observations.push(row);
    if (observations.length < total) continue;
    // FRED has no rows of a date before the first vintage. An empty series would be a statement about that date.
    if (vintage !== undefined && total === 0) throw new ProviderError(FRED, 'REJECTED', 'no rows of the vintage');
    return observations;
  }
  throw new ProviderError(FRED, 'PAGE_LOOP');
}

interface ExpectedPage {
  readonly offset: number;
  /** The instant of the last observation of the page before. */
  readonly after: number;
  readonly vintage: string | undefined;
}

/** Reads a page. The order of its dates shows that no page is sent twice and that no date has two values. */
function readPage(
  { units, count, offset, limit, observations }: Readonly<Record<string, unknown>>,
  expected: ExpectedPage,
): { readonly total: number; readonly rows: readonly RawObservation[] } {
  if (units !== 'lin') throw malformed(FRED, 'transformed values');
  if (!isCount(count) || !isCount(limit) || limit < 1 || limit > PAGE_ROWS) throw malformed(FRED, 'size of a page');
  if (offset !== expected.offset) throw malformed(FRED, 'another page');
  const records = readRecords(FRED, observations);
  if (records.length !== Math.min(limit, count - expected.offset)) throw malformed(FRED, 'number of observations');
  let { after } = expected;
  const rows = records.map((record) => {
    if (expected.vintage !== undefined && !stoodOn(expected.vintage, record)) throw malformed(FRED, 'another vintage');
    const instant = parseDate(record.date);
    if (instant === null || instant <= after) throw malformed(FRED, 'a date');
    after = instant;
    return { instant, value: readValue(record.value) };
  });
  return { total: count, rows };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

const NUMBER = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

/** Returns NaN for a full stop, which is FRED's sign of a missing value. */
function readValue(text: unknown): number {
  if (text === '.') return Number.NaN;
  const value = typeof text === 'string' && NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw malformed(FRED, 'a value');
  return value;
}
