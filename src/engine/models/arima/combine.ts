import { exp } from '../../numerics/elementary.ts';
import type { ArimaPrediction } from './predict.ts';

/** The prediction of one of several models that explain the past about equally well. */
export interface Candidate {
  readonly prediction: ArimaPrediction;
  readonly aicc: number;
}

/**
 * Differences of AICc are estimates: on series of usual length their standard error is about two. Halving them prevents
 * one lucky model from getting all the weight.
 */
const TRUST_IN_CRITERION = 0.5;

/**
 * Averages several models with Akaike weights. Adds the spread between the models to the spread of each, so that
 * uncertain orders widen the intervals only at steps where the candidates disagree.
 */
export function averagePredictions(candidates: readonly Candidate[]): ArimaPrediction {
  const best = candidates[0] as Candidate;
  const horizon = best.prediction.mean.length;
  const weights = candidates.map(({ aicc }) => exp((-TRUST_IN_CRITERION * (aicc - best.aicc)) / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = new Float64Array(horizon);
  const variance = new Float64Array(horizon);
  let degrees = 0;
  candidates.forEach(({ prediction }, i) => {
    degrees += ((weights[i] as number) / total) * prediction.degrees;
  });
  const order = candidates.map((_, i) => i);
  for (let h = 0; h < horizon; h++) {
    const at = (i: number): number => (candidates[i] as Candidate).prediction.mean[h] as number;
    // The median, because one outlying candidate changes it little.
    const center = weightedMedian(order.map(at), weights, total);
    let spread = 0;
    for (const i of order) {
      const own = (candidates[i] as Candidate).prediction.variance[h] as number;
      spread += ((weights[i] as number) / total) * (own + (at(i) - center) ** 2);
    }
    mean[h] = center;
    variance[h] = spread;
  }
  return { mean, variance, degrees: Math.max(1, Math.round(degrees)), residuals: best.prediction.residuals };
}

function weightedMedian(values: readonly number[], weights: readonly number[], total: number): number {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number));
  let below = 0;
  let lastMiddle = 0;
  let lastValue = values[order[0] as number] as number;
  // Interpolates between the middles of the steps, so that the median changes smoothly with the weights.
  for (const i of order) {
    const weight = (weights[i] as number) / total;
    const middle = below + weight / 2;
    const value = values[i] as number;
    if (middle >= 0.5) {
      const share = middle > lastMiddle ? (0.5 - lastMiddle) / (middle - lastMiddle) : 1;
      return below === 0 ? value : lastValue + share * (value - lastValue);
    }
    below += weight;
    lastMiddle = middle;
    lastValue = value;
  }
  return lastValue;
}
