import type { Smoothing, StatePath } from './recursion.ts';

/** Derivatives of a loss with respect to everything that determines a state path. */
export interface PathGradient {
  alpha: number;
  beta: number;
  gamma: number;
  phi: number;
  level: number;
  trend: number;
  /**
   * The derivatives with respect to the initial seasons, in the order of use. The rest of the array is scratch space.
   */
  readonly season: Float64Array;
}

export function createPathGradient(path: StatePath): PathGradient {
  return { alpha: 0, beta: 0, gamma: 0, phi: 0, level: 0, trend: 0, season: new Float64Array(path.season.length) };
}

/**
 * Applies the chain rule backward through a filtered path (reverse accumulation). One pass gives the derivatives with
 * respect to all parameters at about the cost of two filter runs, whatever the length of the season.
 *
 * @param byFitted the derivative of the loss with respect to each fitted value; 0 at a gap
 */
export function runGradient(
  path: StatePath,
  smoothing: Smoothing,
  byFitted: Float64Array,
  into: PathGradient,
): PathGradient {
  into.alpha = into.beta = into.gamma = into.phi = into.level = into.trend = 0;
  if (path.kind === 'none') return plain(path, smoothing, byFitted, into);
  const n = path.values.length;
  into.season.fill(0, n, n + path.period);
  return path.kind === 'additive'
    ? additive(path, smoothing, byFitted, into)
    : multiplicative(path, smoothing, byFitted, into);
}

function plain(path: StatePath, { alpha, beta, phi }: Smoothing, byFitted: Float64Array, into: PathGradient) {
  const { values, trend, residual } = path;
  let byLevel = 0;
  let byTrend = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    const r = residual[t] as number;
    const b = trend[t] as number;
    into.alpha += byLevel * r;
    into.beta += byTrend * r;
    const y = values[t] as number;
    const byResidual = !Number.isNaN(y) ? alpha * byLevel + beta * byTrend : 0;
    const byBase = byLevel + (byFitted[t] as number) - byResidual;
    into.phi += (byBase + byTrend) * b;
    byTrend = phi * (byBase + byTrend);
    byLevel = byBase;
  }
  into.level = byLevel;
  into.trend = byTrend;
  return into;
}

function additive(path: StatePath, { alpha, beta, gamma, phi }: Smoothing, byFitted: Float64Array, into: PathGradient) {
  const { values, period, trend, residual } = path;
  const bySeason = into.season;
  let byLevel = 0;
  let byTrend = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    const r = residual[t] as number;
    const b = trend[t] as number;
    const byNext = bySeason[t + period] as number;
    into.alpha += byLevel * r;
    into.beta += byTrend * r;
    into.gamma += byNext * r;
    const y = values[t] as number;
    const byResidual = !Number.isNaN(y) ? alpha * byLevel + beta * byTrend + gamma * byNext : 0;
    const byForecast = (byFitted[t] as number) - byResidual;
    const byBase = byLevel + byForecast;
    bySeason[t] = byNext + byForecast;
    into.phi += (byBase + byTrend) * b;
    byTrend = phi * (byBase + byTrend);
    byLevel = byBase;
  }
  into.level = byLevel;
  into.trend = byTrend;
  return into;
}

function multiplicative(
  path: StatePath,
  { alpha, beta, gamma, phi }: Smoothing,
  byFitted: Float64Array,
  into: PathGradient,
) {
  const { values, period, level, trend, season, residual } = path;
  const bySeason = into.season;
  let byLevel = 0;
  let byTrend = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    const r = residual[t] as number;
    const b = trend[t] as number;
    const s = season[t] as number;
    const q = (level[t] as number) + phi * b;
    const byNext = bySeason[t + period] as number;
    const byShare = alpha * byLevel + beta * byTrend;
    into.alpha += (byLevel * r) / s;
    into.beta += (byTrend * r) / s;
    into.gamma += (byNext * r) / q;
    const y = values[t] as number;
    const byResidual = !Number.isNaN(y) ? byShare / s + (gamma * byNext) / q : 0;
    const byForecast = (byFitted[t] as number) - byResidual;
    const byBase = byLevel - (gamma * byNext * r) / (q * q) + byForecast * s;
    bySeason[t] = byNext - (byShare * r) / (s * s) + byForecast * q;
    into.phi += (byBase + byTrend) * b;
    byTrend = phi * (byBase + byTrend);
    byLevel = byBase;
  }
  into.level = byLevel;
  into.trend = byTrend;
  return into;
}
