/**
 * Probabilities are clamped to this distance from 0 and 1, so that one false certainty does not outweigh everything
 * else.
 */
const MIN_PROBABILITY = 1e-6;

/** Accompanies every `log_score`. */
export const SCORE_DEFINITION = '-ln(p of what happened), lower is better; p within 1e-6 and 1 - 1e-6';

/** Returns the log loss of one question: 0.693 for a probability of one half, about 0 for a certainty that was right. */
export function logScore(probability: number, happened: boolean): number {
  const clamped = Math.min(Math.max(requireProbability(probability), MIN_PROBABILITY), 1 - MIN_PROBABILITY);
  return happened ? -Math.log(clamped) : -Math.log1p(-clamped);
}

/** Returns the squared distance between the probability and the outcome: 0 to 1, 0.25 for one half. */
export function brierScore(probability: number, happened: boolean): number {
  return (requireProbability(probability) - (happened ? 1 : 0)) ** 2;
}

function requireProbability(probability: number): number {
  if (probability >= 0 && probability <= 1) return probability;
  throw new RangeError(`A probability must be from 0 to 1, not ${probability}.`);
}
