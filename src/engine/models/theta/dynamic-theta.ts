import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { pow } from '../../numerics/elementary.ts';
import { runningTrendLine, solveForAlpha, type ThetaSolution, type TrendLine } from './solve-for-alpha.ts';

/** A fitted dynamic optimized Theta model: the best solution, and other solutions that are plausible given the data. */
export interface ThetaFit {
  readonly values: Float64Array;
  readonly line: TrendLine;
  readonly best: ThetaSolution;
  /** Solutions over the whole range of alpha, with their shares of the likelihood. The shares sum to 1. */
  readonly plausible: readonly { readonly solution: ThetaSolution; readonly share: number }[];
}

const LOWEST = 0.05;
const HIGHEST = 0.99;
const GRID = 16;
const REFINEMENTS = 12;
const MIN_SHARE = 0.01;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Fits the dynamic optimized Theta model (Fiorucci et al. 2016) by least squares of the one-step errors. For a given
 * alpha the one-step forecasts are linear in the initial level and in the weight of the trend line, so both have a
 * closed form. The search therefore runs over alpha alone: first on a grid, because there may be local minima, then by
 * golden section.
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

/** Returns shares in proportion to the likelihood under normal errors, with the optimal variance for each alpha. */
function weightByLikelihood(grid: readonly ThetaSolution[], best: ThetaSolution): ThetaFit['plausible'] {
  if (!(best.squares > 0)) return [{ solution: best, share: 1 }];
  const likelihoods = grid.map(({ squares }) => pow(best.squares / squares, best.observed / 2));
  const total = likelihoods.reduce((sum, likelihood) => sum + likelihood, 0);
  if (!(total > 0)) return [{ solution: best, share: 1 }];
  return grid
    .map((solution, k) => ({ solution, share: (likelihoods[k] as number) / total }))
    .filter(({ share }) => share >= MIN_SHARE);
}
