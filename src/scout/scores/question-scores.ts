/** No probability counts as further from doubt than this, so that one wrong certainty does not outweigh everything. */
export const MIN_PROBABILITY = 1e-6;

/** Stands beside every `log_score`. */
export const SCORE_DEFINITION = '-ln(p of what happened), lower is better; p within 1e-6 and 1 - 1e-6';

/** The log loss of one answered question: 0.693 for a probability of a half, 0 for certainty that was right. */
export function logScore(probability: number, happened: boolean): number {
  const said = checked(probability);
  const clamped = Math.min(Math.max(said, MIN_PROBABILITY), 1 - MIN_PROBABILITY);
  return happened ? -Math.log(clamped) : -Math.log1p(-clamped);
}

/** The squared distance between the probability and what happened: 0 to 1, 0.25 for a half. */
export function brierScore(probability: number, happened: boolean): number {
  return (checked(probability) - (happened ? 1 : 0)) ** 2;
}

function checked(probability: number): number {
  if (probability >= 0 && probability <= 1) return probability;
  throw new RangeError(`A probability must lie within 0 and 1, not ${probability}.`);
}
