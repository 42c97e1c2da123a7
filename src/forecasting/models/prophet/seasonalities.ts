const DAY = 86_400_000;

/** One repeating pattern: a sum of `order` sines and cosines with this period. */
export interface Seasonality {
  readonly periodDays: number;
  readonly order: number;
}

/**
 * The patterns for a series whose season has `season` periods of `stepMs`. Years are meant by the calendar. A longer
 * season brings the shorter one inside it along (the day in the week of hourly data, the week in the year of daily
 * data). Nothing is repeated that has not been seen twice.
 */
export function chooseSeasonalities(season: number, stepMs: number, spanMs: number): Seasonality[] {
  if (season < 2) return [];
  const spanDays = spanMs / DAY + stepMs / DAY;
  const stepDays = stepMs / DAY;
  const main = calendarPeriod(season * stepDays);
  const chosen = [{ periodDays: main, order: orderFor(season) }];
  if (main === 365.25 && stepDays <= 1.5) chosen.push({ periodDays: 7, order: 3 });
  if (main === 7 && stepDays <= 0.5) chosen.push({ periodDays: 1, order: orderFor(1 / stepDays) });
  if (main === 7 && stepDays >= 0.9 && spanDays >= 2 * 365.25) chosen.push({ periodDays: 365.25, order: 6 });
  return chosen.filter(({ periodDays }) => spanDays >= 1.95 * periodDays);
}

/** Half of the periods in a season is all they can tell apart; few enough that noise is not taken for a pattern. */
function orderFor(season: number): number {
  if (season <= 7) return Math.floor(season / 2);
  return season <= 12 ? 4 : season <= 60 ? 6 : 8;
}

function calendarPeriod(days: number): number {
  if (Math.abs(days - 365.25) < 7) return 365.25;
  // Five trading days are a week.
  return Math.abs(days - 7) < 0.01 ? 7 : days;
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
