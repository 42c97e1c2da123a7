import type { Predictive } from '../../numerics/predictive-rows.ts';

/** Too few values to estimate any form: a random walk from the last value, with the step size seen so far. */
export function predictShort(values: Float64Array, horizon: number): Predictive {
  const observed = values.filter((value) => !Number.isNaN(value));
  let squares = 0;
  for (let t = 1; t < observed.length; t++) squares += ((observed[t] as number) - (observed[t - 1] as number)) ** 2;
  const step = Math.sqrt(squares / (observed.length - 1));
  const last = observed[observed.length - 1] as number;
  const centre = new Float64Array(horizon).fill(last);
  const deviation = centre.map((_, h) => step * Math.sqrt(h + 1));
  return { centre, above: deviation, below: deviation, freedom: observed.length - 1, isRelative: false };
}
