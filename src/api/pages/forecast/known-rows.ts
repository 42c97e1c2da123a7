import { barEnd, type Cadence, DAY_MS, EARLIEST_INSTANT, LATEST_INSTANT } from '../../../calendar/index.ts';
import { formatDay, formatMoment, isIntraday } from '../format.ts';
import { type Html, html } from '../html.ts';

/** Which rows a cutoff let a forecast know: those until a day, or those before an instant. */
export interface KnownRows {
  readonly word: 'until' | 'before';
  /** The last day that was known, or the instant. */
  readonly when: string;
  /** The same for programs. */
  readonly datetime: string;
}

/**
 * Returns which rows a cutoff let a forecast know. A cutoff is the instant by which periods must have ended, so midnight
 * means that the day before it is the last one that was known.
 *
 * @param cadence null if it is not known, as in lists. An instant within a day is then stated as it is.
 */
export function describeKnownRows(cutoff: string, cadence: Cadence | null): KnownRows {
  const time = Date.parse(cutoff);
  const lastDay = cadence !== null && isIntraday(cadence.frequency) ? null : findLastDay(time, cadence);
  if (lastDay === null) return { word: 'before', when: formatMoment(new Date(time)), datetime: cutoff };
  const day = new Date(lastDay);
  return { word: 'until', when: formatDay(day), datetime: day.toISOString().slice(0, 10) };
}

/** Returns the last day that was over at an instant; null if that depends on a cadence that is not known. */
function findLastDay(time: number, cadence: Cadence | null): number | null {
  const day = Math.floor(time / DAY_MS) * DAY_MS;
  if (day === time) return day - DAY_MS;
  if (cadence === null) return null;
  const isKnown = day > EARLIEST_INSTANT + DAY_MS && day < LATEST_INSTANT - DAY_MS;
  if (cadence.kind !== 'exchange' || !isKnown) return day - DAY_MS;
  // A day of an exchange is over when its session closes, which can be before midnight or after it.
  const bars = { ...cadence, frequency: '1D' } as const;
  return [day, day - DAY_MS].find((one) => barEnd(bars, one) <= time) ?? day - 2 * DAY_MS;
}

/** Renders which rows a cutoff let a forecast know. @example "until Jan 10, 2018" */
export function renderKnownRows(cutoff: string, cadence: Cadence | null): Html {
  const { word, when, datetime } = describeKnownRows(cutoff, cadence);
  return html`${word} <time datetime="${datetime}"${word === 'before' && html` data-local`}>${when}</time>`;
}

/** Returns the cadence that settings name. */
export function cadenceOf({ frequency, series_kind: kind, hours }: NamedCadence): Cadence {
  return { frequency: frequency as Cadence['frequency'], kind, ...(hours !== null && { hours }) };
}

/** The cadence in the settings of a forecast, as the API shows them. */
interface NamedCadence {
  readonly frequency: string;
  readonly series_kind: Cadence['kind'];
  readonly hours: NonNullable<Cadence['hours']> | null;
}
