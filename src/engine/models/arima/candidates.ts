import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { minimizeSquares } from '../../numerics/least-squares.ts';
import { type Estimate, POLISH_EFFORT } from './estimate.ts';
import { ExactLikelihood, type PathFilter } from './exact-likelihood.ts';
import { GapFilter } from './gap-filter.ts';
import { hasSafeRoots } from './lag-polynomial.ts';
import { countPeriodsLost } from './orders.ts';
import type { PreparedSeries } from './prepare.ts';
import { isLong, refineExactly, type SearchPlan, searchOrders } from './search.ts';

/** An estimated model with the filter that forecasts from it. */
export interface FittedModel {
  readonly model: Estimate;
  readonly filter: PathFilter;
  /** Number of differences that were computed from observed values. */
  readonly observed: number;
}

/**
 * The largest number of models that the forecast is averaged over; others would hardly change it. `MAX_REFITTED`
 * applies if each model must be estimated again.
 */
const MAX_MODELS = 10;
const MAX_REFITTED = 3;
/** On long series, the third model costs a third of the fit, and errors on flights and NN5 were the same without it. */
const MAX_REFITTED_LONG = 2;
/**
 * The largest number of elementary steps that estimating one model on a series with gaps may take. On long series, the
 * interpolated values are nearly as good a start: with the larger budget, the errors on NN5 were 0.1% smaller.
 */
const GAP_BUDGET = 5e7;
const GAP_BUDGET_LONG = 1e7;

/** Returns the models that explain the series best, the best first; at least one. */
export function fitCandidates(
  prepared: PreparedSeries,
  plan: SearchPlan,
  signal: AbortFlag | undefined,
): FittedModel[] {
  const { data, base, limits, criterion } = plan;
  const found = searchOrders(data, base, limits, criterion, signal);
  // If differencing leaves nothing to explain, no model is usable, and the model consists of the differences alone.
  if (found.length === 0) found.push({ orders: base, free: new Float64Array(0), aicc: 0 });
  const gaps = prepared.gaps > 0;
  const refit = gaps || criterion === 'conditional';
  const maxRefitted = isLong(data) ? MAX_REFITTED_LONG : MAX_REFITTED;
  const fitted: FittedModel[] = [];
  for (const candidate of found) {
    if (fitted.length >= (refit ? maxRefitted : MAX_MODELS)) break;
    throwIfAborted(signal);
    let model = candidate;
    if (criterion === 'conditional') {
      const exact = refineExactly(data, candidate);
      // An infinite criterion means that the exact optimum lies at the edge of the allowed region; the conditional
      // optimum is then kept. The two criteria are not comparable, so the models keep the ranking of the search.
      if (exact.aicc < Number.POSITIVE_INFINITY) model = { ...exact, aicc: candidate.aicc };
    }
    fitted.push(gaps ? refitWithGaps(prepared, plan, model) : withExactFilter(plan, model));
  }
  return fitted;
}

/** Pairs a model of a complete series with its filter. */
function withExactFilter({ data }: SearchPlan, model: Estimate): FittedModel {
  return { model, filter: new ExactLikelihood(data.y, data.w, model.orders), observed: data.w.length };
}

/** Estimates a model again from the observed values alone, if the budget allows it. */
function refitWithGaps(prepared: PreparedSeries, plan: SearchPlan, model: Estimate): FittedModel {
  const { orders, free } = model;
  const lostPeriods = countPeriodsLost(orders);
  const { p, q, P, Q, season } = orders;
  const dimension = Math.max(p + P * season, q + Q * season + 1) + lostPeriods;
  const budget = isLong(plan.data) ? GAP_BUDGET_LONG : GAP_BUDGET;
  const evaluations = budget / (prepared.values.length * dimension ** 2);
  const observed = Math.max(1, prepared.values.length - prepared.gaps - lostPeriods);
  // The model is too large for the full filter, so it keeps its estimate on the interpolated series.
  if (evaluations < 4 * (free.length + 1)) return { ...withExactFilter(plan, model), observed };
  const filter = new GapFilter(prepared.values, orders);
  const maxIterations = Math.min(12, Math.floor(evaluations / (free.length + 2)) - 2);
  const found = minimizeSquares(filter, free, { ...POLISH_EFFORT, tolerance: 1e-6, maxIterations });
  const usable = Number.isFinite(found.value) && hasSafeRoots(orders, found.at);
  return { model: usable ? { ...model, free: found.at } : model, filter, observed };
}
