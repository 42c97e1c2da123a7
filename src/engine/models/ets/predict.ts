import { lean } from '../../numerics/lean.ts';
import { leastSquaresSlope } from '../../numerics/least-squares-slope.ts';
import type { Predictive } from '../../numerics/predictive-rows.ts';
import { recentSpread } from '../../numerics/recent-spread.ts';
import type { FittedForm } from './fit-form.ts';
import { forecastMoments } from './moments.ts';

/**
 * How many observations count as one when forms are weighed for the spread: errors are neither independent nor normal,
 * so the evidence for the winner is weaker than the criterion says. This and `LEAN` gave the lowest interval score of
 * forecasts made inside the history of the M1 and M3 series, at two origins each; their 80 % intervals held 79.9 %.
 */
const TEMPERATURE = 4;
const LEAN = 0.2;
const MIN_SHARE = 0.01;

/**
 * The forecast distribution: the centre of the best form; around it the spread of all forms, weighed by how plausible
 * the data make them (so that the choice between them is part of the uncertainty), wider where the last errors were
 * larger than usual, and leaning to the side to which the series has been drifting.
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
    if (share < MIN_SHARE) return;
    const { mean, deviation } =
      fit === best ? { mean: centre, deviation: own } : forecastMoments(fit, fit.variance, horizon);
    for (let h = 0; h < horizon; h++) {
      const apart = (mean[h] as number) - (centre[h] as number);
      variance[h] = (variance[h] as number) + share * ((deviation[h] as number) ** 2 + apart * apart);
    }
  });
  const { path, form, freedom } = best;
  const recent = recentSpread(surprises(best), path.period);
  const deviation = variance.map((v) => recent * Math.sqrt(v));
  const sides = lean(deviation, leastSquaresSlope(path.values), LEAN);
  return { centre, ...sides, freedom, isRelative: form.relativeError };
}

/** One-step errors, relative ones where the form has them; NaN at a gap. */
function surprises({ path, form }: FittedForm): Float64Array {
  const { values, miss, fitted } = path;
  return miss.map((m, t) =>
    Number.isNaN(values[t]) ? Number.NaN : m / (form.relativeError ? (fitted[t] as number) : 1),
  );
}
