import { pow } from '../../numerics/elementary.ts';
import type { FittedForm } from './fit-form.ts';

/** Mean and standard deviation of each step ahead. */
interface Moments {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/**
 * Returns the moments of the forecast distribution by the formulas of Hyndman, Koehler, Ord and Snyder (2008, chapter
 * 6). They are exact for additive errors, and for relative errors without seasons or with additive seasons. With
 * multiplicative seasons they are exact up to one season ahead. Further ahead, the variance of the seasons is assumed
 * to grow independently of that of the level.
 *
 * @param variance of the errors; of the relative errors if the form has relative errors
 */
export function forecastMoments(fitted: FittedForm, variance: number, horizon: number): Moments {
  const { form, smoothing, path } = fitted;
  const { alpha, beta, gamma, phi } = smoothing;
  const { period } = path;
  const n = path.values.length;
  const isProduct = form.season === 'multiplicative';
  const base = new Float64Array(horizon);
  const mean = new Float64Array(horizon);
  const deviation = new Float64Array(horizon);
  // response[j]: the effect of an error on the forecast j steps later.
  const response = new Float64Array(horizon);
  let damping = 0;
  let power = 1;
  for (let h = 0; h < horizon; h++) {
    const isSameSeason = form.season === 'additive' && h % period === 0;
    response[h] = alpha + beta * damping + (isSameSeason ? gamma : 0);
    power *= phi;
    damping += power;
    base[h] = (path.level[n] as number) + damping * (path.trend[n] as number);
    const season = form.season === 'none' ? 0 : (path.season[n + (h % period)] as number);
    mean[h] = isProduct ? (base[h] as number) * season : (base[h] as number) + season;
  }
  if (!form.relativeError) {
    let sum = 1;
    for (let h = 0; h < horizon; h++) {
      if (h > 0) sum += (response[h] as number) ** 2;
      deviation[h] = Math.sqrt(variance * sum);
    }
    return { mean, deviation };
  }
  const center = isProduct ? base : mean;
  const second = new Float64Array(horizon);
  for (let h = 0; h < horizon; h++) {
    let sum = (center[h] as number) ** 2;
    for (let j = 1; j <= h; j++) sum += variance * (response[j] as number) ** 2 * (second[h - j] as number);
    second[h] = sum;
    const growth = isProduct ? pow(1 + gamma * gamma * variance, Math.floor(h / period)) : 1;
    const scale = isProduct ? (path.season[n + (h % period)] as number) : 1;
    deviation[h] = scale * Math.sqrt(Math.max(0, (1 + variance) * growth * sum - (center[h] as number) ** 2));
  }
  return { mean, deviation };
}
