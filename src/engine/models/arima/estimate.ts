import { minimiseSquares } from '../../numerics/levenberg-marquardt.ts';
import { ConditionalSquares } from './conditional-squares.ts';
import { ExactLikelihood } from './exact-likelihood.ts';
import { rootsAreSafe } from './lag-polynomial.ts';
import { coefficientCount, type Orders } from './orders.ts';

/** A model with its parameters estimated. */
export interface Estimate {
  readonly orders: Orders;
  /** Free parameters of the polynomials, ordered p, q, P, Q. */
  readonly free: Float64Array;
  /** Corrected Akaike criterion; infinite where the model must not be used. */
  readonly aicc: number;
}

/** A complete series and its differences. */
export interface Data {
  readonly y: Float64Array;
  readonly w: Float64Array;
}

export type Criterion = 'exact' | 'conditional';

/** The search compares criteria: it needs them to a hundredth. The model that is kept is polished. */
export const SEARCH = { tolerance: 3e-5, maxIterations: 25 };
export const POLISH = { tolerance: 1e-7, maxIterations: 30 };
/** Elementary steps of the filter that polishing one model may cost: it ends early on long series of long seasons. */
const POLISH_BUDGET = 6e7;

/** Estimates one model on a differenced series, starting from the parameters of a neighbour. */
export function estimate(
  { y, w }: Data,
  orders: Orders,
  neighbour: Estimate | undefined,
  criterion: Criterion,
  effort: typeof SEARCH,
): Estimate {
  const problem = criterion === 'exact' ? new ExactLikelihood(y, w, orders) : new ConditionalSquares(w, orders);
  const count = parameterCount(orders);
  const spare = w.length - count - 1;
  if (problem.residuals <= 0 || (spare <= 0 && coefficientCount(orders) > 0)) return unusable(orders);
  const scratch = new Float64Array(problem.residuals);
  const start = startingPoint(orders, neighbour);
  let value = problem.evaluate(start.free, scratch);
  // A parameter that starts at zero can sit where two factors cancel and nothing points anywhere: look both ways.
  for (const i of start.fresh) {
    for (const trial of [0.4, -0.4]) {
      const kept = start.free[i] as number;
      start.free[i] = trial;
      const tried = problem.evaluate(start.free, scratch);
      if (tried < value) value = tried;
      else start.free[i] = kept;
    }
  }
  const found = minimiseSquares(problem, start.free, bounded(effort, w.length, orders, criterion));
  if (!(found.value > 0) || !Number.isFinite(found.value) || !rootsAreSafe(orders, found.at)) {
    return { orders, free: found.at, aicc: Number.POSITIVE_INFINITY };
  }
  const n = w.length;
  const aic = n * (Math.log(found.value / problem.residuals) + 1 + Math.log(2 * Math.PI)) + 2 * count;
  return { orders, free: found.at, aicc: aic + (spare > 0 ? (2 * count * (count + 1)) / spare : 0) };
}

function bounded(effort: typeof SEARCH, n: number, orders: Orders, criterion: Criterion): typeof SEARCH {
  if (criterion === 'conditional') return effort;
  const dimension = Math.max(orders.p + orders.P * orders.season, orders.q + orders.Q * orders.season + 1);
  const affordable = Math.floor(POLISH_BUDGET / (n * dimension * (coefficientCount(orders) + 2)));
  return { ...effort, maxIterations: Math.max(2, Math.min(effort.maxIterations, affordable)) };
}

/** Coefficients, mean and variance. */
export function parameterCount(orders: Orders): number {
  return coefficientCount(orders) + (orders.constant ? 1 : 0) + 1;
}

function unusable(orders: Orders): Estimate {
  return { orders, free: new Float64Array(coefficientCount(orders)), aicc: Number.POSITIVE_INFINITY };
}

/** Beyond this a neighbour's parameter has left for the edge, and nothing found from there would come back. */
const FAR = 3;

function startingPoint(orders: Orders, neighbour: Estimate | undefined): { free: Float64Array; fresh: number[] } {
  const free = new Float64Array(coefficientCount(orders));
  const fresh: number[] = [];
  let to = 0;
  let from = 0;
  for (const name of ['p', 'q', 'P', 'Q'] as const) {
    const known = neighbour === undefined ? 0 : neighbour.orders[name];
    for (let i = 0; i < orders[name]; i++) {
      if (i < known) free[to + i] = Math.max(-FAR, Math.min(FAR, (neighbour as Estimate).free[from + i] as number));
      else fresh.push(to + i);
    }
    to += orders[name];
    from += known;
  }
  return { free, fresh };
}
