import { type AbortFlag, checkQuantiles, constantForecaster, type Model } from '../../model.ts';
import { rescaleRows } from '../../numerics/predictive-rows.ts';
import { standardizeValues } from '../../numerics/prepare-values.ts';
import { nestedPeriods } from '../nested-periods.ts';
import { chooseProfile, measureProfile } from './choose-profile.ts';
import { cleanOutliers } from './clean.ts';
import { slowLevel } from './profile.ts';
import { type Backtest, chooseRemainder, continueRows } from './remainder.ts';
import { type PastSpread, quantileScores, spreadOf } from './spread.ts';
import { scalesFor, type ValueScale } from './value-scales.ts';
import { type DailyCalendar, fitYear } from './yearly.ts';

/** Twenty-three weeks of hours. Older rows hardly affect patterns of a day or a week, and the fit stays short. */
const MAX_ROWS = 4000;
/** Twenty-two years of days, because each year shows the pattern of the year once. */
const MAX_DAILY_ROWS = 8000;

/**
 * Multiple seasonality: a pattern for each season that clock and calendar can give, plus a level to which the seasonally
 * adjusted rows return. All settings are chosen by forecasts from past origins, whose errors also give the spread. It
 * uses no random numbers.
 */
export const mstl: Model = {
  id: 'mstl',
  quantileSupport: { type: 'requested' },
  fit(series, { signal }) {
    const isDaily = series.cadence.frequency === '1D';
    const limit = isDaily ? MAX_DAILY_ROWS : MAX_ROWS;
    const { values, scale, isConstant } = standardizeValues(series.values, limit);
    if (isConstant) return constantForecaster(series.values.findLast((value) => !Number.isNaN(value)) as number);
    const periods = nestedPeriods(series.cadence, series.season, values.length);
    const end = series.values.findLastIndex((value) => !Number.isNaN(value)) + 1;
    const calendar = isDaily
      ? { times: series.times.subarray(end - values.length, end), cadence: series.cadence, week: periods[0] ?? 1 }
      : null;
    return (horizon, quantiles) => {
      checkQuantiles(quantiles);
      const fits = scalesFor(values).map((on) => fitOn(on, values, periods, calendar, horizon, signal));
      const { on, center, past } = fits.reduce((a, b) => (b.error < a.error ? b : a));
      const scores = quantileScores(past, quantiles);
      const rows = Array.from(center, (middle, h) =>
        Float64Array.from(scores, (score) => on.from(middle + score * (past.spread[h] as number))),
      );
      return rescaleRows(rows, scale);
    };
  },
};

interface ScaleFit {
  readonly on: ValueScale;
  /** The median and the spread of each step, on the scale. */
  readonly center: Float64Array;
  readonly past: PastSpread;
  /** The sum of the absolute errors of past forecasts, in the unit of the values. */
  readonly error: number;
}

function fitOn(
  on: ValueScale,
  values: Float64Array,
  periods: readonly number[],
  calendar: DailyCalendar | null,
  horizon: number,
  signal: AbortFlag | undefined,
): ScaleFit {
  const scaled = values.map(on.to);
  const year = calendar && fitYear(scaled, calendar, horizon, signal);
  const rows = year === null ? scaled : scaled.map((value, t) => value - (year.past[t] as number));
  const seasons = periods.length > 0 ? periods : [1];
  const longest = seasons.at(-1) as number;
  const level = slowLevel(rows, longest);
  const first = chooseProfile(without(rows, level), seasons, signal);
  const clean = cleanOutliers(rows, level, first);
  const profile =
    clean === rows ? first : measureProfile(without(clean, slowLevel(clean, longest)), seasons, first.settings);
  const backtest = chooseRemainder(clean, rows, profile.snapshots, horizon);
  const center = continueRows(clean, profile.snapshots, backtest.settings, horizon);
  return {
    on,
    center: year === null ? center : center.map((value, h) => value + (year.future[h] as number)),
    past: spreadOf(backtest, profile.usual, rows.length, horizon),
    error: errorInUnits(on, values, scaled, backtest),
  };
}

function without(values: Float64Array, level: Float64Array): Float64Array {
  return values.map((value, t) => value - (level[t] as number));
}

function errorInUnits(
  on: ValueScale,
  values: Float64Array,
  scaled: Float64Array,
  { errors, origins }: Backtest,
): number {
  let sum = 0;
  errors.forEach((one, i) => {
    for (let h = 0; h < one.length; h++) {
      const t = (origins[i] as number) + h;
      const error = one[h] as number;
      if (!Number.isNaN(error)) sum += Math.abs((values[t] as number) - on.from((scaled[t] as number) - error));
    }
  });
  return sum;
}
