import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { type Criterion, type Data, type Estimate, estimate, POLISH, SEARCH } from './estimate.ts';
import { type Orders, sameOrders } from './orders.ts';

export interface SearchLimits {
  readonly maxP: number;
  readonly maxQ: number;
  readonly maxSeasonalP: number;
  readonly maxSeasonalQ: number;
}

/** As many models as the search may try: its budget. */
const MAX_MODELS = 94;

/** Steps in p, q, P, Q from the best model so far, in the order they are tried. */
const SEASONAL_STEPS = [
  [0, 0, -1, 0],
  [0, 0, 0, -1],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [0, 0, -1, -1],
  [0, 0, -1, 1],
  [0, 0, 1, -1],
  [0, 0, 1, 1],
] as const;
const PLAIN_STEPS = [
  [-1, 0, 0, 0],
  [0, -1, 0, 0],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [-1, -1, 0, 0],
  [-1, 1, 0, 0],
  [1, -1, 0, 0],
  [1, 1, 0, 0],
] as const;
const STEPS = [...SEASONAL_STEPS, ...PLAIN_STEPS];

/**
 * Hyndman and Khandakar's stepwise search: start from four simple models, move to the first better neighbour until
 * none is better. Returns every model tried, best first; those that must not be used are left out.
 */
export function searchOrders(
  data: Data,
  base: Orders,
  limits: SearchLimits,
  criterion: Criterion,
  signal: AbortFlag | undefined,
): Estimate[] {
  const tried: Estimate[] = [];
  let best: Estimate | undefined;
  const attempt = (orders: Orders): boolean => {
    if (tried.length >= MAX_MODELS || tried.some((other) => sameOrders(other.orders, orders))) return false;
    throwIfAborted(signal);
    const found = estimate(data, orders, best, criterion, SEARCH);
    tried.push(found);
    if (best !== undefined && !(found.aicc < best.aicc)) return false;
    best = found;
    return true;
  };
  const { maxP, maxQ, maxSeasonalP, maxSeasonalQ } = limits;
  const short = data.y.length < 10;
  const none = { ...base, p: 0, q: 0, P: 0, Q: 0 };
  attempt(none);
  attempt({ ...none, p: Math.min(1, maxP), P: Math.min(1, maxSeasonalP) });
  attempt({ ...none, q: Math.min(1, maxQ), Q: Math.min(1, maxSeasonalQ) });
  attempt({
    ...none,
    p: Math.min(short ? 1 : 2, maxP),
    q: Math.min(short ? 1 : 2, maxQ),
    P: short ? 0 : Math.min(1, maxSeasonalP),
    Q: short ? 0 : Math.min(1, maxSeasonalQ),
  });
  if (base.constant) attempt({ ...none, constant: false });
  for (let moved = true; moved; ) {
    moved = false;
    const at: Orders = (best ?? { orders: none }).orders;
    for (const [p, q, P, Q] of STEPS) {
      const next = { ...at, p: at.p + p, q: at.q + q, P: at.P + P, Q: at.Q + Q };
      if (Math.min(next.p, next.q, next.P, next.Q) < 0) continue;
      if (next.p > maxP || next.q > maxQ || next.P > maxSeasonalP || next.Q > maxSeasonalQ) continue;
      moved = attempt(next);
      if (moved) break;
    }
    if (!moved && base.constant) moved = attempt({ ...at, constant: !at.constant });
  }
  return tried.filter((model) => model.aicc < Number.POSITIVE_INFINITY).sort((a, b) => a.aicc - b.aicc);
}

/** Estimates a model found by the search exactly and to the last digit. */
export function polish(data: Data, found: Estimate): Estimate {
  return estimate(data, found.orders, found, 'exact', POLISH);
}
