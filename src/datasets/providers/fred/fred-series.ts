import { cleanText, malformed, readRecords } from '../../../platform/index.ts';
import { multiplierOf } from '../multiplier.ts';
import { parseInstant } from '../parse-instant.ts';
import { HALF_YEARLY, parsePeriod, TWO_WEEKLY } from '../parse-period.ts';
import type { SeriesStructure, StatedFrequency } from '../provider.ts';
import { FRED } from './fred-session.ts';

/** What FRED states about a series wherever it lists one. */
export interface FredSeries {
  readonly seriesId: string;
  readonly title: string;
  readonly frequency: StatedFrequency;
  readonly units: string;
  readonly multiplier: number | null;
  readonly seasonalAdjustment: string | null;
  readonly lastUpdate: string | null;
  readonly notes: string | null;
  readonly span: SeriesStructure['span'];
}

const IRREGULAR: StatedFrequency = { unsupported: 'irregular' };

const FREQUENCIES: ReadonlyMap<string, StatedFrequency> = new Map<string, StatedFrequency>([
  ['D', { frequency: '1D' }],
  ['W', { frequency: '1W-MON' }],
  ['BW', TWO_WEEKLY],
  ['M', { frequency: '1ME' }],
  ['Q', { frequency: '1QE' }],
  ['SA', HALF_YEARLY],
  ['A', { frequency: '1YE' }],
  ['5Y', { unsupported: 'five-yearly' }],
  ['10Y', { unsupported: 'ten-yearly' }],
  ['NA', IRREGULAR],
]);

const MAX_TEXT_LENGTH = 500;
const MAX_NOTES_LENGTH = 2_000;

/** Reads a list of series, which FRED calls "seriess". */
export function readSeriesList(value: unknown): readonly FredSeries[] {
  return readRecords(FRED, value).map(readSeriesRecord);
}

/** Reads one entry of such a list. */
export function readSeriesRecord(record: Readonly<Record<string, unknown>>): FredSeries {
  const { id, frequency_short: frequency } = record;
  if (typeof id !== 'string' || typeof frequency !== 'string') throw malformed(FRED, 'not a series');
  const title = readText(record.title) || id;
  const units = readText(record.units);
  return {
    seriesId: id,
    title,
    // A reply with a new code is not refused, but its periods are not known.
    frequency: FREQUENCIES.get(frequency) ?? IRREGULAR,
    units,
    multiplier: multiplierOf(units),
    seasonalAdjustment: readText(record.seasonal_adjustment) || null,
    lastUpdate: parseInstant(readText(record.last_updated)),
    notes: readText(record.notes, MAX_NOTES_LENGTH) || null,
    span: readSpan(record),
  };
}

/** Returns a text in one line; an empty one if it is not stated. */
function readText(value: unknown, maxLength = MAX_TEXT_LENGTH): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw malformed(FRED, 'not a text');
  return cleanText(value, maxLength);
}

/** Returns the first instant of a date such as 2024-03-28; null for any other text. */
export function parseDate(text: unknown): number | null {
  const isDate = typeof text === 'string' && text.length === '2024-03-28'.length;
  return isDate ? (parsePeriod(text)?.instant ?? null) : null;
}

function readSpan(record: Readonly<Record<string, unknown>>): SeriesStructure['span'] {
  const [first, last] = [parseDate(record.observation_start), parseDate(record.observation_end)];
  return first === null || last === null || first > last ? null : { first, last };
}
