import { usualCount, usualDistance } from './spacing.ts';

const DAY = 86_400_000;
const WEEK_DAYS = 7;
const YEAR_DAYS = 365.25;

/** One repeating pattern: a sum of `order` sines and cosines with this period. */
export interface Seasonality {
  readonly periodDays: number;
  readonly order: number;
}

/**
 * The patterns for a series whose season has `season` periods. How long a season lasts is read off the times: five
 * sessions of an exchange are a week. A longer season brings the shorter one inside it along (the day in the week of
 * hourly data, the week in the year of daily data). Nothing is repeated that has not been seen twice.
 *
 * @param times the timestamp of every period, gaps included
 */
export function chooseSeasonalities(season: number, times: Float64Array): Seasonality[] {
  if (season < 2) return [];
  const length = usualDistance(times, season);
  const step = usualDistance(times, 1);
  if (length === null || step === null) return [];
  const stepDays = step / DAY;
  const spanDays = ((times[times.length - 1] as number) - (times[0] as number)) / DAY + stepDays;
  const main = calendarPeriod(length / DAY);
  const chosen = [{ periodDays: main, order: orderFor(season) }];
  const inside = (days: number) => ({ periodDays: days, order: orderFor(usualCount(times, days * DAY)) });
  if (main === YEAR_DAYS && stepDays <= 1.5) chosen.push(inside(WEEK_DAYS));
  if (main === WEEK_DAYS && stepDays <= 0.5) chosen.push(inside(1));
  if (main === WEEK_DAYS && stepDays >= 0.9) chosen.push({ periodDays: YEAR_DAYS, order: 6 });
  return chosen.filter(({ periodDays, order }) => order > 0 && spanDays >= 1.95 * periodDays);
}

/** Half of the periods in a season is all they can tell apart; few enough that noise is not taken for a pattern. */
function orderFor(season: number): number {
  if (season <= 7) return Math.floor(season / 2);
  return season <= 12 ? 4 : season <= 60 ? 6 : 8;
}

/** What a length of about a week, a month, a quarter, half a year or a year is meant to be; other lengths as they are. */
function calendarPeriod(days: number): number {
  const meant = [WEEK_DAYS, YEAR_DAYS / 12, YEAR_DAYS / 4, YEAR_DAYS / 2, YEAR_DAYS];
  return meant.find((period) => Math.abs(days - period) < 0.05 * period) ?? days;
}

/** The features of one moment, in the order sin, cos, sin 2, cos 2, …, as Prophet has them. */
export function fourierFeatures(timeMs: number, seasonalities: readonly Seasonality[]): number[] {
  const features: number[] = [];
  for (const { periodDays, order } of seasonalities) {
    const angle = (2 * Math.PI * timeMs) / DAY / periodDays;
    for (let k = 1; k <= order; k++) features.push(Math.sin(k * angle), Math.cos(k * angle));
  }
  return features;
}
