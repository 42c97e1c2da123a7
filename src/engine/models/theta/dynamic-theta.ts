import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { pow } from '../../numerics/elementary.ts';
import { runningTrendLine, solveForAlpha, type ThetaSolution, type TrendLine } from './solve-for-alpha.ts';

/** A fitted dynamic optimized theta model: the best solution, and the others that the data leave plausible. */
export interface ThetaFit {
  readonly values: Float64Array;
  readonly line: TrendLine;
  readonly best: ThetaSolution;
  /** Solutions over the whole range of alpha with their shares of the likelihood, which sum to 1. */
  readonly plausible: readonly { readonly solution: ThetaSolution; readonly share: number }[];
}

const LOWEST = 0.05;
const HIGHEST = 0.99;
const GRID = 16;
const REFINEMENTS = 12;
const MIN_SHARE = 0.01;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Fits the dynamic optimized theta model (Fiorucci et al. 2016) by least squares of the one-step forecasts. For a given
 * alpha these are linear in the initial level and in the weight of the trend line, so both have a closed form and the
 * search runs over alpha alone: a grid against local minima, then golden section.
 */
export function fitDynamicTheta(values: Float64Array, signal: AbortFlag | undefined): ThetaFit {
  const line = runningTrendLine(values);
  const solve = (alpha: number): ThetaSolution => {
    throwIfAborted(signal);
    return solveForAlpha(values, line, alpha);
  };
  const spacing = (HIGHEST - LOWEST) / GRID;
  const grid = Array.from({ length: GRID + 1 }, (_, k) => solve(LOWEST + k * spacing));
  let best = grid.reduce((a, b) => (b.squares < a.squares ? b : a));
  let low = Math.max(LOWEST, best.alpha - spacing);
  let high = Math.min(HIGHEST, best.alpha + spacing);
  let left = solve(high - GOLDEN * (high - low));
  let right = solve(low + GOLDEN * (high - low));
  for (let k = 0; k < REFINEMENTS; k++) {
    if (left.squares < right.squares) {
      high = right.alpha;
      right = left;
      left = solve(high - GOLDEN * (high - low));
    } else {
      low = left.alpha;
      left = right;
      right = solve(low + GOLDEN * (high - low));
    }
  }
  for (const candidate of [left, right]) if (candidate.squares < best.squares) best = candidate;
  return { values, line, best, plausible: weightByLikelihood(grid, best) };
}

/** Returns shares by the likelihood of normal errors, with the variance at its optimum for each alpha. */
function weightByLikelihood(grid: readonly ThetaSolution[], best: ThetaSolution): ThetaFit['plausible'] {
  if (!(best.squares > 0)) return [{ solution: best, share: 1 }];
  const likelihoods = grid.map(({ squares }) => pow(best.squares / squares, best.observed / 2));
  const total = likelihoods.reduce((sum, likelihood) => sum + likelihood, 0);
  if (!(total > 0)) return [{ solution: best, share: 1 }];
  return grid
    .map((solution, k) => ({ solution, share: (likelihoods[k] as number) / total }))
    .filter(({ share }) => share >= MIN_SHARE);
}
