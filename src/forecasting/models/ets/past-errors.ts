import { createPastErrors, MOST_ORIGINS, MOST_STEPS, type PastErrors } from '../../numerics/spread-growth.ts';
import type { FittedForm } from './fit-form.ts';

/** Errors of a fitted form's forecasts from every past origin, by steps ahead; relative ones where the form has them. */
export function measurePastErrors({ form, smoothing, path }: FittedForm, horizon: number): PastErrors {
  const { values, level, trend, season, period } = path;
  const n = values.length;
  const errors = createPastErrors(Math.min(horizon, MOST_STEPS));
  let damping = 0;
  let power = 1;
  for (let h = 0; h < errors.sum.length; h++) {
    power *= smoothing.phi;
    damping += power;
    for (let t = Math.max(0, n - MOST_ORIGINS - h); t + h < n; t++) {
      const base = (level[t] as number) + damping * (trend[t] as number);
      const index = form.season === 'none' ? 0 : (season[t + (h % period)] as number);
      const forecast = form.season === 'multiplicative' ? base * index : base + index;
      const value = values[t + h] as number;
      const error = Math.abs(value - forecast);
      if (Number.isNaN(error)) continue;
      // A forecast near zero must not make a relative error of thousands.
      const unit = form.relativeError ? Math.max(forecast, 0.1 * value) : 1;
      errors.sum[h] = (errors.sum[h] as number) + error / unit;
      errors.count[h] = (errors.count[h] as number) + 1;
    }
  }
  return errors;
}
