import { checkQuantiles } from '../../check-quantiles.ts';
import { constantForecaster } from '../../constant-forecaster.ts';
import type { Model } from '../../model.ts';
import { predictiveRows, rescaleRows } from '../../numerics/predictive-rows.ts';
import { adjustSeason } from '../../numerics/seasonal-adjustment.ts';
import { standardise } from '../../numerics/standardise.ts';
import { predictEts } from './predict.ts';
import { fitForms } from './select.ts';
import { predictShort } from './short-series.ts';

/** The past that still matters: a bound on work, not on time. */
const MAX_VALUES = 2000;
const MAX_SEASONS = 12;
const MAX_SEASONAL_VALUES = 20_000;
/** Beyond this a state for each position in the season is more than the data can tell (as in R's forecast::ets). */
const LONGEST_SEASON = 24;

/**
 * Exponential smoothing: the family of R's forecast::ets, chosen by AICc. Long seasons are taken out by decomposition
 * first. Every form admitted has formulas for its forecast variance, so nothing is simulated and the seed is not used.
 */
export const ets: Model = {
  id: 'ets',
  quantileSupport: { type: 'requested' },
  fit(series, { signal }) {
    const limit = Math.max(MAX_VALUES, Math.min(MAX_SEASONAL_VALUES, MAX_SEASONS * series.season));
    const { values, scale, isPositive, isConstant } = standardise(series.values, limit);
    if (isConstant) return constantForecaster(series.values.at(-1) as number);
    const isLong = series.season > LONGEST_SEASON;
    const season = adjustSeason(values, isLong ? series.season : 1, isPositive);
    const recent = season.adjusted.subarray(Math.max(0, values.length - MAX_VALUES));
    const observed = recent.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
    const staysPositive = recent.every((value) => !(value <= 0));
    const period = isLong ? 1 : Math.max(1, series.season);
    const fits = fitForms({ values: recent, observed, period }, staysPositive, signal);
    return (horizon, quantiles) => {
      checkQuantiles(quantiles);
      const predictive = fits.length > 0 ? predictEts(fits, horizon) : predictShort(recent, horizon);
      return rescaleRows(season.restore(predictiveRows(predictive, quantiles)), scale);
    };
  },
};
