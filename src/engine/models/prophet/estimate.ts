import { ModelError } from '../../model.ts';
import type { ProphetRuntime, StanData, StanParameters } from './runtime.ts';

/** Limits slow searches, which then return their last point. With 1000 iterations, past errors were the same. */
const MAX_ITERATIONS = 300;

/**
 * The tolerances that stop the search. The prior on growth changes has a kink at zero, at which a search for the last
 * digits gets stuck and fails. The error that the tolerances allow was below a thousandth of the range of the series.
 * Stan uses the seed only to draw missing starting values; none is missing, and the seed is fixed.
 */
const TOLERANCES = { seed: 1, tolObj: 1e-6, tolRelObj: 1e8, tolParam: 1e-7 } as const;

/**
 * The starting noise and the number of iterations of each attempt. A search that stops before the step that fails
 * returns its last point, which is better than the line it started from.
 */
const ATTEMPTS: readonly (readonly [number, number])[] = [
  [1, MAX_ITERATIONS],
  [0.1, MAX_ITERATIONS],
  [0.3, MAX_ITERATIONS],
  [0.03, MAX_ITERATIONS],
  [0.1, 60],
  [0.1, 20],
  [0.3, 8],
];

/**
 * Returns the most probable parameters. Prophet starts from the line through the first and the last point with unit
 * noise. From there the line search sometimes fails, mostly on series of about a dozen points, but succeeds from a
 * smaller noise.
 */
export function estimateParameters(runtime: ProphetRuntime, data: StanData): StanParameters {
  const json = JSON.stringify(data);
  const first = data.y[0] as number;
  const last = data.y[data.T - 1] as number;
  const start = (sigmaObs: number): StanParameters => ({
    k: last - first,
    m: first,
    delta: new Float64Array(data.S),
    beta: new Float64Array(data.K),
    sigmaObs,
  });
  for (const [noise, iterations] of ATTEMPTS) {
    try {
      const { params } = runtime.optimize(start(noise), json, { ...TOLERANCES, iter: iterations });
      if (hasFiniteParts(params)) return params;
    } catch (error) {
      // The optimizer throws an Error for a failed search. If a broken runtime throws one, every attempt fails and the
      // error below is thrown.
      if (!(error instanceof Error)) throw error;
    }
  }
  throw new ModelError('NOT_CONVERGED', 'The search for the parameters of prophet did not converge.');
}

function hasFiniteParts(parameters: StanParameters): boolean {
  const { k, m, sigmaObs, delta, beta } = parameters;
  return [k, m, sigmaObs, ...delta, ...beta].every(Number.isFinite) && sigmaObs >= 0;
}
