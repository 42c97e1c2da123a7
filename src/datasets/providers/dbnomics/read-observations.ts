import { malformed } from '../../../platform/index.ts';
import { type ParsedPeriod, parsePeriod } from '../parse-period.ts';
import type { RawObservation, StatedFrequency } from '../provider.ts';
import { DBNOMICS, type Fields } from './dbnomics-reply.ts';
import { frequencyOfDimensions, frequencyOfName, isDaily, isSameFrequency } from './frequencies.ts';

/** Far above the longest daily series. */
const MAX_OBSERVATIONS = 100_000;
const MISSING = 'NA';

/** The observations of one series without their flags. */
export interface ReadObservations {
  readonly frequency: StatedFrequency;
  readonly observations: readonly RawObservation[];
}

/**
 * Reads the lists of periods and values of a series. Throws a `ProviderError` with the fault MALFORMED if they do not
 * belong together or the periods do not have the frequency of the series.
 */
export function readObservations(doc: Fields, dimensions: Fields): ReadObservations {
  const { period, value, period_start_day: startDays } = doc;
  if (!Array.isArray(period) || !Array.isArray(value)) throw malformed(DBNOMICS, 'no observations');
  if (period.length > MAX_OBSERVATIONS) throw malformed(DBNOMICS, 'too many observations');
  const hasDays = startDays !== undefined && startDays !== null;
  const days: unknown[] = hasDays && Array.isArray(startDays) ? startDays : [];
  if (value.length !== period.length || (hasDays && days.length !== period.length)) {
    throw malformed(DBNOMICS, 'number of observations');
  }
  const periods = period.map((text) => readPeriod(text));
  periods.forEach((parsed, index) => {
    if (hasDays && readPeriod(days[index]).instant !== parsed.instant) throw malformed(DBNOMICS, 'another first day');
  });
  return {
    frequency: findFrequency(doc['@frequency'], dimensions, periods),
    observations: periods.map(({ instant }, index) => ({ instant, value: readValue(value[index]) })),
  };
}

function readPeriod(text: unknown): ParsedPeriod {
  const parsed = typeof text === 'string' ? parsePeriod(text) : null;
  if (parsed === null) throw malformed(DBNOMICS, 'a period');
  return parsed;
}

function readValue(value: unknown): number {
  if (value === null || value === MISSING) return Number.NaN;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(DBNOMICS, 'a value');
  return value;
}

/**
 * Returns the frequency of a series. Its periods have the notation of the frequency or are days, because DBnomics finds
 * the frequency of days by the distance of the first two, and keeps days that do not begin a period. It states none for
 * a series without observations.
 */
function findFrequency(name: unknown, dimensions: Fields, periods: readonly ParsedPeriod[]): StatedFrequency {
  const isMissing = name === undefined || name === null;
  if (isMissing && periods.length === 0) return { unsupported: 'irregular' };
  const stated = isMissing ? periods[0]?.stated : frequencyOfName(name);
  if (stated === undefined) throw malformed(DBNOMICS, 'frequency');
  const hasNotation = ({ stated: own }: ParsedPeriod) => isSameFrequency(own, stated) || (!isMissing && isDaily(own));
  if (!periods.every(hasNotation)) throw malformed(DBNOMICS, 'another frequency');
  // The distance between the ends of two months is not a month, so DBnomics calls such a series daily.
  return isDaily(stated) ? (frequencyOfDimensions(dimensions) ?? stated) : stated;
}
