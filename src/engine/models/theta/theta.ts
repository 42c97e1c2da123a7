import { checkQuantiles, constantForecaster, type Model } from '../../model.ts';
import { predictiveRows, rescaleRows } from '../../numerics/predictive-rows.ts';
import { standardizeValues } from '../../numerics/prepare-values.ts';
import { adjustSeason } from '../../numerics/seasonal-adjustment.ts';
import { fitDynamicTheta } from './dynamic-theta.ts';
import { predictTheta } from './predict.ts';

/** Limits work and memory. Older values hardly affect the forecast. */
const MAX_VALUES = 20_000;

/** The dynamic optimized Theta method on seasonally adjusted data. It uses no random numbers. */
export const theta: Model = {
  id: 'theta',
  quantileSupport: { type: 'requested' },
  fit(series, { signal }) {
    const { values, scale, isPositive, isConstant } = standardizeValues(series.values, MAX_VALUES);
    if (isConstant) return constantForecaster(series.values.at(-1) as number);
    const season = adjustSeason(values, series.season, isPositive);
    const fit = fitDynamicTheta(season.adjusted, signal);
    return (horizon, quantiles) => {
      checkQuantiles(quantiles);
      const predictive = predictTheta(fit, horizon, season.indices, isPositive);
      return rescaleRows(season.restore(predictiveRows(predictive, quantiles)), scale);
    };
  },
};
