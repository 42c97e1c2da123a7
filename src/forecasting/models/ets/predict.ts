import type { Predictive } from '../../numerics/predictive-rows.ts';
import { spreadGrowth } from '../../numerics/spread-growth.ts';
import type { FittedForm } from './fit-form.ts';
import { forecastMoments } from './moments.ts';
import { measurePastErrors } from './past-errors.ts';

/**
 * How many observations count as one when forms are weighed for the spread: errors are neither independent nor normal,
 * so the evidence for the winner is weaker than the criterion says.
 */
const TEMPERATURE = 1.5;
const LEAST_SHARE = 0.01;
/** The largest widening that past errors of later steps may ask for. */
const MOST_GROWTH = 2;

/**
 * The forecast distribution: the centre of the best form; around it the spread of all forms, weighed by how plausible
 * the data make them (so that the choice between them is part of the uncertainty), and widened where past errors grew
 * faster with the step than the form says.
 *
 * @param fits the best first
 */
export function predictEts(fits: readonly FittedForm[], horizon: number): Predictive {
  const best = fits[0] as FittedForm;
  const { mean: centre, deviation: own } = forecastMoments(best, best.variance, horizon);
  const weights = fits.map((fit) => Math.exp((-0.5 * (fit.aicc - best.aicc)) / TEMPERATURE));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const variance = new Float64Array(horizon);
  fits.forEach((fit, k) => {
    const share = (weights[k] as number) / total;
    if (share < LEAST_SHARE) return;
    const { mean, deviation } =
      fit === best ? { mean: centre, deviation: own } : forecastMoments(fit, fit.variance, horizon);
    for (let h = 0; h < horizon; h++) {
      const apart = (mean[h] as number) - (centre[h] as number);
      variance[h] = (variance[h] as number) + share * ((deviation[h] as number) ** 2 + apart * apart);
    }
  });
  const { relativeError } = best.form;
  const spread = own.map(
    (deviation, h) => deviation / (relativeError ? Math.max(1e-9, Math.abs(centre[h] as number)) : 1),
  );
  const theory = spread.map((deviation) => deviation / (spread[0] as number));
  const growth = spreadGrowth(measurePastErrors(best, horizon), theory, MOST_GROWTH);
  const deviation = variance.map((v, h) => Math.sqrt(v * (growth[h] as number)));
  return { centre, deviation, freedom: best.freedom, isRelative: relativeError };
}
