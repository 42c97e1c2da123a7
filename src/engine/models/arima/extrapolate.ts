import type { LagPolynomials } from './lag-polynomial.ts';
import { countPeriodsLost, integrationWeights, type Orders } from './orders.ts';

/** The state of the filter after the last observation, for the differenced series minus its mean. */
interface FilterEnd {
  readonly polynomials: LagPolynomials;
  readonly state: Float64Array;
  readonly mean: number;
}

/** Returns the expected values of the next periods, in the units of the undifferenced series `y`. */
export function extrapolateSeries(y: Float64Array, orders: Orders, end: FilterEnd, horizon: number): Float64Array {
  const state = Float64Array.from(end.state);
  const { ar } = end.polynomials;
  const r = state.length - 1;
  const lostPeriods = countPeriodsLost(orders);
  const weights = integrationWeights(orders.d, orders.D, orders.season);
  const path = new Float64Array(lostPeriods + horizon);
  path.set(y.subarray(y.length - lostPeriods));
  for (let h = 0; h < horizon; h++) {
    const next = state[0] as number;
    let value = next + end.mean;
    for (let i = 0; i < lostPeriods; i++) {
      const weight = weights[i] as number;
      if (weight !== 0) value += weight * (path[lostPeriods + h - 1 - i] as number);
    }
    path[lostPeriods + h] = value;
    for (let i = 0; i < r; i++) state[i] = (i < ar.length ? (ar[i] as number) * next : 0) + (state[i + 1] as number);
  }
  return path.slice(lostPeriods);
}

/** Returns the effect of an innovation of 1 on the undifferenced series, period by period. */
export function impulseResponse(orders: Orders, { ar, ma, arLags }: LagPolynomials, horizon: number): Float64Array {
  const weights = integrationWeights(orders.d, orders.D, orders.season);
  const plain = new Float64Array(horizon);
  const out = new Float64Array(horizon);
  for (let h = 0; h < horizon; h++) {
    let value = h === 0 ? 1 : h <= ma.length ? (ma[h - 1] as number) : 0;
    for (const lag of arLags) {
      if (lag > h) break;
      value += (ar[lag - 1] as number) * (plain[h - lag] as number);
    }
    plain[h] = value;
    for (let i = 0; i < weights.length && i < h; i++) {
      const weight = weights[i] as number;
      if (weight !== 0) value += weight * (out[h - 1 - i] as number);
    }
    out[h] = value;
  }
  return out;
}

/**
 * Returns the change of the forecast per unit of the mean of the differenced series: the direct effect of the mean,
 * minus the part of the past that the filter then no longer counts as a deviation. `state` is the filter's response to
 * a series of ones.
 */
export function meanResponse(orders: Orders, end: FilterEnd, horizon: number): Float64Array {
  const zeros = new Float64Array(countPeriodsLost(orders));
  return extrapolateSeries(zeros, orders, { ...end, state: end.state.map((x) => -x), mean: 1 }, horizon);
}
