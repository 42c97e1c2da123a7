import type { SeasonKind } from './form.ts';

/**
 * The smoothing parameters: the weights of a one-step error on level, trend and season, and the damping of the trend.
 */
export interface Smoothing {
  alpha: number;
  beta: number;
  gamma: number;
  phi: number;
}

/**
 * The states of one exponential smoothing filter over one series, kept for every step so that the gradient can be
 * computed backward. The path does not depend on whether errors are relative: both forms of the model correct the
 * states by the same amount for the same residual.
 *
 * `level[t]`, `trend[t]` and `season[t]` are the states before `values[t]` is observed; the last entries are the states
 * from which the forecast starts.
 */
export interface StatePath {
  readonly values: Float64Array;
  readonly period: number;
  readonly kind: SeasonKind;
  readonly level: Float64Array;
  readonly trend: Float64Array;
  readonly season: Float64Array;
  readonly fitted: Float64Array;
  /** values - fitted; 0 at a gap, so that a gap corrects no state. */
  readonly residual: Float64Array;
}

export function createStatePath(values: Float64Array, period: number, kind: SeasonKind): StatePath {
  const n = values.length;
  return {
    values,
    period,
    kind,
    level: new Float64Array(n + 1),
    trend: new Float64Array(n + 1),
    season: new Float64Array(kind === 'none' ? 0 : n + period),
    fitted: new Float64Array(n),
    residual: new Float64Array(n),
  };
}

/** Runs the filter from the initial states in the path. Returns false if a multiplicative model leaves its domain. */
export function runFilter(path: StatePath, smoothing: Smoothing): boolean {
  if (path.kind === 'none') runPlain(path, smoothing);
  else if (path.kind === 'additive') runAdditive(path, smoothing);
  else return runMultiplicative(path, smoothing);
  return true;
}

function runPlain({ values, level, trend, fitted, residual }: StatePath, { alpha, beta, phi }: Smoothing): void {
  let l = level[0] as number;
  let b = trend[0] as number;
  for (let t = 0; t < values.length; t++) {
    const drift = phi * b;
    const f = l + drift;
    const gap = (values[t] as number) - f;
    const r = Number.isNaN(gap) ? 0 : gap;
    l = f + alpha * r;
    b = drift + beta * r;
    fitted[t] = f;
    residual[t] = r;
    level[t + 1] = l;
    trend[t + 1] = b;
  }
}

function runAdditive(path: StatePath, { alpha, beta, gamma, phi }: Smoothing): void {
  const { values, period, level, trend, season, fitted, residual } = path;
  let l = level[0] as number;
  let b = trend[0] as number;
  for (let t = 0; t < values.length; t++) {
    const drift = phi * b;
    const q = l + drift;
    const s = season[t] as number;
    const f = q + s;
    const gap = (values[t] as number) - f;
    const r = Number.isNaN(gap) ? 0 : gap;
    l = q + alpha * r;
    b = drift + beta * r;
    season[t + period] = s + gamma * r;
    fitted[t] = f;
    residual[t] = r;
    level[t + 1] = l;
    trend[t + 1] = b;
  }
}

function runMultiplicative(path: StatePath, { alpha, beta, gamma, phi }: Smoothing): boolean {
  const { values, period, level, trend, season, fitted, residual } = path;
  let l = level[0] as number;
  let b = trend[0] as number;
  for (let t = 0; t < values.length; t++) {
    const drift = phi * b;
    const q = l + drift;
    const s = season[t] as number;
    if (!(q > 1e-9 && s > 1e-9)) return false;
    const f = q * s;
    const gap = (values[t] as number) - f;
    const r = Number.isNaN(gap) ? 0 : gap;
    const k = r / s;
    l = q + alpha * k;
    b = drift + beta * k;
    season[t + period] = s + (gamma * r) / q;
    fitted[t] = f;
    residual[t] = r;
    level[t + 1] = l;
    trend[t + 1] = b;
  }
  return true;
}
