import { integrationWeights } from './differences.ts';
import type { LagPolynomials } from './lag-polynomial.ts';
import { differencedAway, type Orders } from './orders.ts';

/** Where the filter stands after the last observation, for the differenced series without its mean. */
export interface FilterEnd {
  readonly polynomials: LagPolynomials;
  readonly state: Float64Array;
  readonly mean: number;
}

/** Expected values of the coming periods, in the units of the undifferenced series `y`. */
export function extrapolate(y: Float64Array, orders: Orders, end: FilterEnd, horizon: number): Float64Array {
  const state = Float64Array.from(end.state);
  const { ar } = end.polynomials;
  const r = state.length - 1;
  const lost = differencedAway(orders);
  const weights = integrationWeights(orders.d, orders.D, orders.season);
  const path = new Float64Array(lost + horizon);
  path.set(y.subarray(y.length - lost));
  for (let h = 0; h < horizon; h++) {
    const next = state[0] as number;
    let value = next + end.mean;
    for (let i = 0; i < lost; i++) {
      const weight = weights[i] as number;
      if (weight !== 0) value += weight * (path[lost + h - 1 - i] as number);
    }
    path[lost + h] = value;
    for (let i = 0; i < r; i++) state[i] = (i < ar.length ? (ar[i] as number) * next : 0) + (state[i + 1] as number);
  }
  return path.slice(lost);
}

/** What an innovation of 1 does to the undifferenced series, period by period. */
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
 * What the forecast gains when the mean of the differenced series gains 1, period by period: the mean itself, less
 * what the filter then no longer sees as a deviation from it (`state` is the filter's answer to a series of ones).
 */
export function meanResponse(orders: Orders, end: FilterEnd, horizon: number): Float64Array {
  const zeros = new Float64Array(differencedAway(orders));
  return extrapolate(zeros, orders, { ...end, state: end.state.map((x) => -x), mean: 1 }, horizon);
}
