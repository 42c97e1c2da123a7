import { DAY_MS } from '../calendar/index.ts';
import type { EconomicReference, SeriesDescription } from '../contract/index.ts';
import { cutoffBeforeFirstVintage, vintageBeforeFirst, vintageInFuture, vintagesUnavailable } from './faults.ts';

/** Returns the date of an instant in a time zone, such as 2020-03-31. */
export function localDate(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const { year, month, day } = Object.fromEntries(
    parts.formatToParts(instant).map(({ type, value }) => [type, value]),
  ) as Record<'year' | 'month' | 'day', string>;
  return `${year.padStart(4, '0')}-${month}-${day}`;
}

/**
 * Returns the last date that is wholly over at an instant. What was published on this date was known at the instant; of
 * what was published on the next one, nothing is certain.
 */
export function lastDateOver(instant: number, timeZone: string): string {
  const today = Date.parse(localDate(instant, timeZone));
  return new Date(today - DAY_MS).toISOString().slice(0, 10);
}

/** Checks that a series can be read as of the vintage of a reference. Throws a fault that names the remedy otherwise. */
export function requireVintage(
  description: SeriesDescription,
  { provider, series_id: seriesId }: EconomicReference,
  vintage: string,
  today: string,
): void {
  const { first_vintage: first } = description;
  if (first === undefined) throw vintagesUnavailable('source.vintage', provider, seriesId);
  if (vintage < first) throw vintageBeforeFirst(seriesId, vintage, first);
  if (vintage > today) throw vintageInFuture(vintage, today);
}

/** Checks that a series can be read as of the vintage that a cutoff needs. */
export function requireVintageOfCutoff(
  { first_vintage: first }: SeriesDescription,
  { provider, series_id: seriesId }: EconomicReference,
  vintage: string,
): void {
  if (first === undefined) throw vintagesUnavailable('as_known_at_cutoff', provider, seriesId);
  if (vintage < first) throw cutoffBeforeFirstVintage(seriesId, vintage, first);
}
