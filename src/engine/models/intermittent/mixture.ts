/** Values with weights, in ascending order of the values. */
export interface WeightedValues {
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

/** Returns the values in ascending order, each with its weight. */
export function sortWeighted(values: readonly number[], weights: readonly number[]): WeightedValues {
  const order = Array.from(values, (_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
  return {
    values: Float64Array.from(order, (i) => values[i] as number),
    weights: Float64Array.from(order, (i) => weights[i] as number),
  };
}

/** Returns the same distribution with at most `count` values of equal weight, which sum to the same weight. */
export function thinOut(distribution: WeightedValues, count: number): WeightedValues {
  if (distribution.values.length <= count) return distribution;
  const total = sumOf(distribution.weights);
  const values = new Float64Array(count);
  let at = 0;
  let reached = distribution.weights[0] as number;
  for (let i = 0; i < count; i++) {
    const target = (total * (i + 0.5)) / count;
    while (reached < target && at < distribution.values.length - 1) reached += distribution.weights[++at] as number;
    values[i] = distribution.values[at] as number;
  }
  return { values, weights: new Float64Array(count).fill(total / count) };
}

/** Merges two distributions, with a factor on the weights of each. */
export function mergeWeighted(a: WeightedValues, factorA: number, b: WeightedValues, factorB: number): WeightedValues {
  const n = a.values.length + b.values.length;
  const values = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0, j = 0, k = 0; k < n; k++) {
    const takeA = j >= b.values.length || (i < a.values.length && (a.values[i] as number) <= (b.values[j] as number));
    values[k] = (takeA ? a.values[i] : b.values[j]) as number;
    weights[k] = takeA ? factorA * (a.weights[i] as number) : factorB * (b.weights[j] as number);
    if (takeA) i++;
    else j++;
  }
  return { values, weights };
}

/** Returns the quantiles of a distribution: the smallest value that at least this share of the weight does not exceed. */
export function weightedQuantiles({ values, weights }: WeightedValues, quantiles: readonly number[]): Float64Array {
  const total = sumOf(weights);
  return Float64Array.from(quantiles, (quantile) => {
    let reached = 0;
    for (let i = 0; i < values.length; i++) {
      reached += weights[i] as number;
      if (reached >= quantile * total) return values[i] as number;
    }
    return values[values.length - 1] as number;
  });
}

export function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum;
}
