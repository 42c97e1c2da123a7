import { checkQuantiles } from '../../check-quantiles.ts';
import { constantForecaster } from '../../constant-forecaster.ts';
import { type FitContext, type Forecaster, type Model, ModelError } from '../../model.ts';
import { leastSquaresSlope } from '../../numerics/least-squares-slope.ts';
import type { Series } from '../../series.ts';
import { fitCandidates } from './candidates.ts';
import { combine } from './combine.ts';
import { isConstant } from './differences.ts';
import { plan } from './plan.ts';
import { predict } from './predict.ts';
import { prepare } from './prepare.ts';
import { quantileRows } from './quantiles.ts';
import { spreadChange } from './spread.ts';

/**
 * Seasonal ARIMA with automatic orders (Hyndman and Khandakar's search), averaged over the models that explain the
 * past about equally well.
 */
export const arima: Model = { id: 'arima', quantileSupport: { type: 'requested' }, fit };

function fit(series: Series, context: FitContext): Forecaster {
  const prepared = prepare(series);
  const { values, filled, season, unit } = prepared;
  if (isConstant(filled)) return constantForecaster((filled.at(-1) as number) * unit);
  const fitted = fitCandidates(prepared, plan(filled, season), context.signal);
  const drift = leastSquaresSlope(filled);
  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    const prediction = combine(
      fitted.map(({ model, filter, observed }) => ({
        aicc: model.aicc,
        prediction: predict(filter, model, observed, horizon),
      })),
    );
    const change = spreadChange(prediction.residuals, values, season);
    const rows = quantileRows(prediction, change, drift, quantiles, unit);
    if (!rows.every((row) => row.every(Number.isFinite))) {
      throw new ModelError('NOT_CONVERGED', 'The forecast leaves the range of numbers.');
    }
    return rows;
  };
}
