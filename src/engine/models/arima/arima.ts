import {
  checkQuantiles,
  constantForecaster,
  type FitContext,
  type Forecaster,
  type Model,
  ModelError,
  type Series,
} from '../../model.ts';
import { leastSquaresSlope } from '../../numerics/spread.ts';
import { fitCandidates } from './candidates.ts';
import { averagePredictions } from './combine.ts';
import { isConstant } from './orders.ts';
import { predictModel } from './predict.ts';
import { prepareSeries } from './prepare.ts';
import { measureSpreadChange, quantileRows } from './quantiles.ts';
import { planSearch } from './search.ts';

/**
 * Seasonal ARIMA whose orders are found by Hyndman and Khandakar's search. The forecast is averaged over the models
 * that explain the past about equally well.
 */
export const arima: Model = { id: 'arima', quantileSupport: { type: 'requested' }, fit };

function fit(series: Series, context: FitContext): Forecaster {
  const prepared = prepareSeries(series);
  const { values, filled, season, unit } = prepared;
  if (isConstant(filled)) return constantForecaster((filled.at(-1) as number) * unit);
  const fitted = fitCandidates(prepared, planSearch(filled, season), context.signal);
  const drift = leastSquaresSlope(filled);
  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    const prediction = averagePredictions(
      fitted.map(({ model, filter, observed }) => ({
        aicc: model.aicc,
        prediction: predictModel(filter, model, observed, horizon),
      })),
    );
    const change = measureSpreadChange(prediction.residuals, values, season);
    const rows = quantileRows(prediction, change, drift, quantiles, unit);
    if (!rows.every((row) => row.every(Number.isFinite))) {
      throw new ModelError('NOT_CONVERGED', 'The forecast leaves the range of numbers.');
    }
    return rows;
  };
}
