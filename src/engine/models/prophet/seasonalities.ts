import { DAY_MS } from '../../../calendar/index.ts';
import { cos, sin } from '../../numerics/trigonometric.ts';

const WEEK_DAYS = 7;
const YEAR_DAYS = 365.25;

/** One repeating pattern: a sum of `order` sines and as many cosines with this period and its fractions. */
export interface Seasonality {
  readonly periodDays: number;
  readonly order: number;
}

/**
 * Returns the seasonal patterns of a series whose season has `season` periods. The duration of a season follows from
 * the timestamps: five sessions of an exchange are a week. Related patterns are added: the day for a weekly season of
 * hourly data, the week for a yearly season of daily data, and the year for a weekly season of daily data. A pattern is
 * used only if the timestamps span about two of its periods.
 *
 * @param times the timestamp of every period, including periods without a value
 */
export function chooseSeasonalities(season: number, times: Float64Array): Seasonality[] {
  if (season < 2) return [];
  const length = medianDistance(times, season);
  const step = medianDistance(times, 1);
  if (length === null || step === null) return [];
  const stepDays = step / DAY_MS;
  const spanDays = ((times[times.length - 1] as number) - (times[0] as number)) / DAY_MS + stepDays;
  const main = calendarPeriod(length / DAY_MS);
  const chosen = [{ periodDays: main, order: orderFor(season) }];
  const inside = (days: number) => ({ periodDays: days, order: orderFor(medianCount(times, days * DAY_MS)) });
  if (main === YEAR_DAYS && stepDays <= 1.5) chosen.push(inside(WEEK_DAYS));
  if (main === WEEK_DAYS && stepDays <= 0.5) chosen.push(inside(1));
  if (main === WEEK_DAYS && stepDays >= 0.9) chosen.push({ periodDays: YEAR_DAYS, order: 6 });
  return chosen.filter(({ periodDays, order }) => order > 0 && spanDays >= 1.95 * periodDays);
}

/**
 * Returns the number of sine and cosine pairs: at most half of the periods in a season, and few enough not to fit
 * noise.
 */
function orderFor(season: number): number {
  if (season <= 7) return Math.floor(season / 2);
  return season <= 12 ? 4 : season <= 60 ? 6 : 8;
}

/**
 * Rounds a duration close to a week, a month, a quarter, half a year or a year to exactly that; returns others
 * unchanged.
 */
function calendarPeriod(days: number): number {
  const calendarDays = [WEEK_DAYS, YEAR_DAYS / 12, YEAR_DAYS / 4, YEAR_DAYS / 2, YEAR_DAYS];
  return calendarDays.find((period) => Math.abs(days - period) < 0.05 * period) ?? days;
}

/** Returns the features of one moment, in Prophet's order: sin, cos, sin 2, cos 2, … */
export function fourierFeatures(timeMs: number, seasonalities: readonly Seasonality[]): number[] {
  const features: number[] = [];
  for (const { periodDays, order } of seasonalities) {
    const angle = (2 * Math.PI * timeMs) / DAY_MS / periodDays;
    for (let k = 1; k <= order; k++) features.push(sin(k * angle), cos(k * angle));
  }
  return features;
}

/**
 * Returns the usual distance, in milliseconds, between the timestamps of two periods that are `periods` apart. It is a
 * median, because months differ in length and sessions of an exchange have nights and weekends between them.
 *
 * @returns null if there are not enough timestamps
 */
function medianDistance(times: Float64Array, periods: number): number | null {
  const pairs = times.length - periods;
  if (pairs < 1) return null;
  return median(Float64Array.from({ length: pairs }, (_, i) => (times[i + periods] as number) - (times[i] as number)));
}

/** Returns how many periods usually start within a duration: 7 days in a week, or 5 sessions of an exchange. */
function medianCount(times: Float64Array, durationMs: number): number {
  let next = 0;
  const counts = Float64Array.from(times, (time, i) => {
    while (next < times.length && (times[next] as number) < time + durationMs) next++;
    return next - i;
  });
  return median(counts);
}

function median(values: Float64Array): number {
  return values.sort()[values.length >> 1] as number;
}
