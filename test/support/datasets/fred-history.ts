import { DAY_MS } from '../../../src/calendar/index.ts';

// The archive behind the server that speaks the protocol of FRED: what stood on which dates.

/** One number, as it was published on a date. It stands until the next revision of the same observation. */
export interface FredRevision {
  /** The first day of the period; of daily and weekly series, the day itself. */
  readonly date: string;
  /** Null for a missing value. */
  readonly value: number | null;
  /** The date in Chicago. */
  readonly published: string;
}

export interface FredSeries {
  readonly id: string;
  readonly title: string;
  /** The short name, such as M for monthly. */
  readonly frequency: string;
  /** Default: Percent. */
  readonly units?: string;
  /** Default: Not Seasonally Adjusted. */
  readonly seasonalAdjustment?: string;
  /** Such as 2024-03-28 07:51:02-05. Default: seven o'clock on the date of the last revision. */
  readonly lastUpdated?: string;
  readonly notes?: string;
  readonly popularity?: number;
  /** Default: nation and usa. */
  readonly tags?: readonly string[];
  /** Whether there are vintages. Otherwise the archive has only the values of today. Default: true. */
  readonly isInAlfred?: boolean;
  /** Units that stood until a date, inclusive; the oldest first. */
  readonly earlierUnits?: readonly { readonly units: string; readonly until: string }[];
  readonly revisions: readonly FredRevision[];
}

/** A period in which something was known; both dates are inclusive. */
export interface RealtimePeriod {
  readonly start: string;
  readonly end: string;
}

/** The date on which whatever is known now ends. */
export const LAST_DATE = '9999-12-31';

const FREQUENCY_NAMES: Readonly<Record<string, string>> = {
  D: 'Daily',
  W: 'Weekly, Ending Saturday',
  BW: 'Biweekly',
  M: 'Monthly',
  Q: 'Quarterly',
  SA: 'Semiannual',
  A: 'Annual',
};

/** Returns the dates within a period on which numbers were published. */
export function datesOfVintages(
  { revisions, isInAlfred = true }: FredSeries,
  { start, end }: RealtimePeriod,
  today: string,
): string[] {
  if (!isInAlfred) return [];
  const dates = new Set(revisions.map(({ published }) => published));
  return [...dates].filter((date) => date <= today && date >= start && date <= end).sort();
}

/** Returns what stood within a period, by date; each value with the part of the period in which it stood. */
export function listObservations(series: FredSeries, period: RealtimePeriod, today: string): unknown[] {
  const published = series.revisions.filter((revision) => revision.published <= today);
  const byDate = [...Map.groupBy(published, ({ date }) => date)].sort(([a], [b]) => compare(a, b));
  return byDate.flatMap(([date, revisions]) => {
    const ordered = revisions.toSorted((a, b) => compare(a.published, b.published));
    return ordered.flatMap((revision, i) => {
      const next = ordered[i + 1];
      const stood = { start: revision.published, end: next === undefined ? LAST_DATE : dayBefore(next.published) };
      // Only the current values of a series without an archive exist.
      if (series.isInAlfred === false && next !== undefined) return [];
      const [from, to] = [later(stood.start, period.start), earlier(stood.end, period.end)];
      if (from > to) return [];
      const value = revision.value === null ? '.' : String(revision.value);
      return [{ realtime_start: from, realtime_end: to, date, value }];
    });
  });
}

/** Returns what is stated about a series on the last date of a period. */
export function describeSeries(series: FredSeries, period: RealtimePeriod, today: string): Record<string, unknown> {
  const { units = 'Percent', seasonalAdjustment = 'Not Seasonally Adjusted', earlierUnits = [] } = series;
  const on = earlier(period.end, today);
  const dates = series.revisions.filter(({ published }) => published <= on).map(({ date }) => date);
  const lastPublished = series.revisions.map(({ published }) => published).filter((date) => date <= on);
  return {
    id: series.id,
    realtime_start: period.start,
    realtime_end: period.end,
    title: series.title,
    observation_start: dates.toSorted()[0] ?? '1776-07-04',
    observation_end: dates.toSorted().at(-1) ?? LAST_DATE,
    frequency: FREQUENCY_NAMES[series.frequency] ?? 'Not Applicable',
    frequency_short: series.frequency,
    units: earlierUnits.find(({ until }) => on <= until)?.units ?? units,
    units_short: units,
    seasonal_adjustment: seasonalAdjustment,
    seasonal_adjustment_short: seasonalAdjustment.startsWith('Not') ? 'NSA' : 'SA',
    last_updated: series.lastUpdated ?? `${lastPublished.toSorted().at(-1) ?? on} 07:00:00-06`,
    popularity: series.popularity ?? 0,
    group_popularity: series.popularity ?? 0,
    ...(series.notes !== undefined && { notes: series.notes }),
  };
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}
