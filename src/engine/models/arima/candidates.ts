import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { minimiseSquares } from '../../numerics/levenberg-marquardt.ts';
import { type Estimate, POLISH } from './estimate.ts';
import { ExactLikelihood } from './exact-likelihood.ts';
import { GapFilter } from './gap-filter.ts';
import { rootsAreSafe } from './lag-polynomial.ts';
import { differencedAway } from './orders.ts';
import type { PathFilter } from './path-filter.ts';
import type { Plan } from './plan.ts';
import type { Prepared } from './prepare.ts';
import { polish, searchOrders } from './search.ts';

/** An estimated model with the filter that forecasts from it. */
export interface FittedModel {
  readonly model: Estimate;
  readonly filter: PathFilter;
  /** Differences that were really observed. */
  readonly observed: number;
}

/** How many models the forecast is averaged over: all that matter. Fewer where each must be estimated once more. */
const MAX_MODELS = 10;
const MAX_REFITTED = 3;
/** Elementary steps one model of a series with gaps may cost. */
const GAP_BUDGET = 5e7;

/** The models that explain the series best, best first; at least one. */
export function fitCandidates(prepared: Prepared, plan: Plan, signal: AbortFlag | undefined): FittedModel[] {
  const { data, base, limits, criterion } = plan;
  const found = searchOrders(data, base, limits, criterion, signal);
  // Nothing passes where differencing leaves nothing to explain: then the differences are the model.
  if (found.length === 0) found.push({ orders: base, free: new Float64Array(0), aicc: 0 });
  const gaps = prepared.gaps > 0;
  const refit = gaps || criterion === 'conditional';
  const fitted: FittedModel[] = [];
  for (const candidate of found) {
    if (fitted.length >= (refit ? MAX_REFITTED : MAX_MODELS)) break;
    throwIfAborted(signal);
    let model = candidate;
    if (criterion === 'conditional') {
      const exact = polish(data, candidate);
      // Where the exact optimum is at the edge, the conditional one, which is not, serves. The two criteria can be
      // compared with their own kind only, so the ranking stays that of the search.
      if (exact.aicc < Number.POSITIVE_INFINITY) model = { ...exact, aicc: candidate.aicc };
    }
    fitted.push(gaps ? withGaps(prepared, plan, model) : complete(plan, model));
  }
  return fitted;
}

function complete({ data }: Plan, model: Estimate): FittedModel {
  return { model, filter: new ExactLikelihood(data.y, data.w, model.orders), observed: data.w.length };
}

/** Estimates once more, from the observed values alone, as far as the budget goes. */
function withGaps(prepared: Prepared, plan: Plan, model: Estimate): FittedModel {
  const { orders, free } = model;
  const lost = differencedAway(orders);
  const { p, q, P, Q, season } = orders;
  const dimension = Math.max(p + P * season, q + Q * season + 1) + lost;
  const evaluations = GAP_BUDGET / (prepared.values.length * dimension ** 2);
  const observed = Math.max(1, prepared.values.length - prepared.gaps - lost);
  // Too large for the full filter: straight lines across the gaps must do.
  if (evaluations < 4 * (free.length + 1)) return { ...complete(plan, model), observed };
  const filter = new GapFilter(prepared.values, orders);
  const maxIterations = Math.min(12, Math.floor(evaluations / (free.length + 2)) - 2);
  const found = minimiseSquares(filter, free, { ...POLISH, tolerance: 1e-6, maxIterations });
  const usable = Number.isFinite(found.value) && rootsAreSafe(orders, found.at);
  return { model: usable ? { ...model, free: found.at } : model, filter, observed };
}
