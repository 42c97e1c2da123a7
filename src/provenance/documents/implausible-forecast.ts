import type { Prediction, WeightsByQuantile } from '../../engine/index.ts';
import type { ForecastProof } from './forecast-proof.ts';

const TOLERANCE = 1e-9;

/** Yields the claims of a well-formed proof of a forecast that cannot be true. */
export function* findImplausibleForecast(proof: ForecastProof): Generator<string> {
  const { created_at, completed_at, result, hash, salt } = proof;
  if ((hash === undefined) !== (salt === undefined)) yield 'hash: a document has both hash and salt or neither.';
  if (Date.parse(completed_at) < Date.parse(created_at)) yield 'completed_at: comes before created_at.';
  const { predictions, effective_weights_by_quantile: weights, historical_validation: validation } = result;
  yield* disorderedTimes('result.predictions', predictions);
  yield* disorderedQuantiles(predictions);
  for (const [i, member] of result.members.entries()) {
    yield* disorderedTimes(`result.members[${i}].predictions`, member.predictions);
  }
  const { weighting } = result;
  yield* partialWeights('result.effective_weights_by_quantile', weights);
  yield* partialWeights(
    'result.weighting.effective_weights_by_quantile',
    weighting?.effective_weights_by_quantile ?? {},
  );
  yield* partialWeights('result.weighting.prior_weights', weighting?.prior_weights ?? {});
  yield* partialWeights('result.weighting.spread_weights', weighting?.spread_weights ?? {});
  yield* partialWeights(
    'result.historical_validation.effective_weights_by_quantile',
    validation.effective_weights_by_quantile,
  );
  yield* weightsWithoutPredictions(predictions, weights);
}

function* disorderedTimes(path: string, predictions: readonly Prediction[]): Generator<string> {
  for (const [i, { timestamp }] of predictions.entries()) {
    const before = predictions[i - 1]?.timestamp;
    if (before !== undefined && !(Date.parse(timestamp) > Date.parse(before))) {
      yield `${path}[${i}].timestamp: is not later than the one before it.`;
    }
  }
}

/**
 * Yields pooled quantiles that are not in order. Quantiles of a single model are not checked, because they may cross.
 */
function* disorderedQuantiles(predictions: readonly Prediction[]): Generator<string> {
  for (const [i, { quantiles }] of predictions.entries()) {
    const ascending = Object.entries(quantiles).sort(([a], [b]) => Number(a) - Number(b));
    for (const [j, [key, value]] of ascending.entries()) {
      const lower = ascending[j - 1];
      if (lower !== undefined && value < lower[1]) {
        yield `result.predictions[${i}].quantiles.${key}: is below the quantile ${lower[0]}.`;
      }
    }
  }
}

function* partialWeights(path: string, weights: WeightsByQuantile): Generator<string> {
  for (const [key, shares] of Object.entries(weights)) {
    const values = Object.values(shares);
    // None of the remaining models supports this quantile.
    if (values.length === 0) continue;
    const total = values.reduce((sum, share) => sum + share, 0);
    const where = `${path}.${key}`;
    if (values.some((share) => share < -TOLERANCE)) yield `${where}: has a negative weight.`;
    if (!(Math.abs(total - 1) <= TOLERANCE)) yield `${where}: adds up to ${total}, not to 1.`;
  }
}

/** Yields predictions whose quantiles are not exactly those that have effective weights. */
function* weightsWithoutPredictions(predictions: readonly Prediction[], weights: WeightsByQuantile): Generator<string> {
  const shared = Object.keys(weights).filter((key) => Object.keys(weights[key] ?? {}).length > 0);
  for (const [i, { quantiles }] of predictions.entries()) {
    const isMatched = Object.keys(quantiles).length === shared.length && shared.every((key) => key in quantiles);
    if (!isMatched) yield `result.predictions[${i}].quantiles: differ from those that have effective weights.`;
  }
}
