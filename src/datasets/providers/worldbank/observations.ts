import { isRecord, malformed, ProviderError, readRecord } from '../../../platform/index.ts';
import { parsePeriod } from '../parse-period.ts';
import type { EconomicFrequency, RawObservation, RawSeries, Selection, SeriesDetails } from '../provider.ts';
import { COUNTRY, checkShortCode, isCountryCode } from './countries.ts';
import { checkIndicatorId, isIndicatorId } from './indicators.ts';
import { type ReplyRows, readText, requestRows, WORLDBANK, type WorldBankSession } from './worldbank-reply.ts';

const ROWS_PER_PAGE = '20000';
const MAX_FLAG = 20;
const MAX_UNITS = 200;
const MAX_FOOTNOTE = 500;
const MAX_FOOTNOTES = 50;

/** Years, quarters and months, as the World Bank writes them. */
const DATE = /^\d{4}(?:Q[1-4]|M(?:0[1-9]|1[0-2]))?$/;
const FLAG_LABELS: ReadonlyMap<string, string> = new Map([
  ['E', 'Estimate'],
  ['F', 'Forecast'],
]);

interface ReadRow extends RawObservation {
  readonly frequency: EconomicFrequency;
  /** The id of the indicator as the World Bank writes it. */
  readonly indicator: string;
  /** The short code of the country if the row has no other; otherwise null. */
  readonly shortCode: string | null;
  readonly units: string;
  readonly footnote: string;
}

/** Requests the observations of an indicator in one country. Returns null if there are none. */
export async function requestObservations(
  session: WorldBankSession,
  { seriesId, dimensions }: Selection,
): Promise<RawSeries | null> {
  const country = Object.hasOwn(dimensions, COUNTRY) ? (dimensions[COUNTRY] as string) : '';
  if (!isIndicatorId(seriesId) || !isCountryCode(country)) return null;
  const reply = await requestSeries(session, seriesId, country);
  const first = reply?.rows[0];
  if (reply === null || first === undefined || first.indicator !== seriesId) return null;
  // Not a part of the call, because the reply is correct and must not count for the breaker.
  if (reply.rows.some(({ frequency }) => frequency !== first.frequency)) {
    throw new ProviderError(WORLDBANK, 'REJECTED', 'rows of several frequencies');
  }
  if (first.shortCode !== null) await checkShortCode(session, country, first.shortCode);
  return buildSeries(reply.rows, first, reply.lastUpdated);
}

/** Requests the rows with their footnotes; without them if the source of the indicator refuses that. */
async function requestSeries(
  session: WorldBankSession,
  seriesId: string,
  country: string,
): Promise<ReplyRows<ReadRow> | null> {
  const request = (parameters: Readonly<Record<string, string>>) => {
    let first: ReadRow | undefined;
    const path = `/country/${country}/indicator/${seriesId}`;
    return requestRows(session, path, { per_page: ROWS_PER_PAGE, ...parameters }, (row, index) => {
      const read = readRow(row, seriesId, country);
      if (index === 0) first = read;
      checkSameSeries(read, first as ReadRow);
      return read;
    });
  };
  try {
    return await request({ footnote: 'y' });
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.fault === 'REJECTED' && error.status === 400;
    if (!isRefused) throw error;
    return request({});
  }
}

function readRow(row: Readonly<Record<string, unknown>>, seriesId: string, country: string): ReadRow {
  const { date, value } = row;
  const indicator = readRecord(WORLDBANK, row.indicator).id;
  checkIndicatorId(indicator, seriesId);
  const period = typeof date === 'string' && DATE.test(date) ? parsePeriod(date) : null;
  if (period === null || !('frequency' in period.stated)) throw malformed(WORLDBANK, 'a date');
  if (value !== null && !(typeof value === 'number' && Number.isFinite(value))) throw malformed(WORLDBANK, 'a value');
  return {
    instant: period.instant,
    frequency: period.stated.frequency,
    value: value ?? Number.NaN,
    flag: readFlag(row.obs_status),
    indicator: indicator as string,
    shortCode: readShortCode(row, country),
    units: readText(row.unit, MAX_UNITS),
    footnote: readText(row.footnote, MAX_FOOTNOTE),
  };
}

/**
 * Returns the short code of the country of a row that has no other code; null if the code is the requested one. Some
 * sources have the long code in the place of the short one. Throws if the row is of another country.
 */
function readShortCode({ countryiso3code: code, country }: Readonly<Record<string, unknown>>, requested: string) {
  const isMissing = code === '' || code === null || code === undefined;
  const stated = isMissing && isRecord(country) ? country.id : code;
  if (stated === requested) return null;
  if (isMissing && typeof stated === 'string' && stated !== '') return stated;
  throw malformed(WORLDBANK, 'rows of another country');
}

function checkSameSeries(row: ReadRow, first: ReadRow): void {
  if (row.shortCode !== first.shortCode) throw malformed(WORLDBANK, 'rows of several countries');
  if (row.indicator !== first.indicator) throw malformed(WORLDBANK, 'rows of several indicators');
}

function readFlag(value: unknown): string | undefined {
  if (value === '' || value === null || value === undefined) return undefined;
  const flag = readText(value, MAX_FLAG + 1);
  if (flag === '' || flag.length > MAX_FLAG) throw malformed(WORLDBANK, 'a flag');
  return flag;
}

function buildSeries(rows: readonly ReadRow[], first: ReadRow, lastUpdated: unknown): RawSeries {
  const flags = new Set(rows.map(({ flag }) => flag));
  const footnotes = new Set(rows.map(({ footnote }) => footnote).filter((footnote) => footnote !== ''));
  const lastUpdate = readLastUpdate(lastUpdated);
  const hasUnits = first.units !== '' && rows.every(({ units }) => units === first.units);
  const details: Partial<SeriesDetails> = {
    ...(hasUnits && { units: first.units }),
    ...(lastUpdate !== null && { lastUpdate }),
  };
  return {
    frequency: { frequency: first.frequency },
    observations: rows.map(({ instant, value, flag }) => ({ instant, value, flag })),
    details,
    flagLabels: Object.fromEntries([...FLAG_LABELS].filter(([flag]) => flags.has(flag))),
    footnotes: [...footnotes].slice(0, MAX_FOOTNOTES),
  };
}

/** Returns the instant at which the date of the last update begins; null if there is no valid date. */
function readLastUpdate(value: unknown): string | null {
  const period = typeof value === 'string' ? parsePeriod(value) : null;
  const isDay = period !== null && 'frequency' in period.stated && period.stated.frequency === '1D';
  return isDay ? new Date(period.instant).toISOString() : null;
}
