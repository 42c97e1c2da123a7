import { checkQuantiles } from './check-quantiles.ts';
import type { Forecaster } from './model.ts';

/** A series that never moved gives no hint that it ever will: every quantile of every step is its value. */
export function constantForecaster(value: number): Forecaster {
  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    return Array.from({ length: horizon }, () => new Float64Array(quantiles.length).fill(value));
  };
}
