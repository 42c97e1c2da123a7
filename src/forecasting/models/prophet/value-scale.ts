/** Puts values on the unit interval, straight or by their logarithm, and back. */
export interface ValueScale {
  readonly isLog: boolean;
  toUnit(value: number): number;
  fromUnit(unit: number): number;
}

/** Far outside of anything seen: keeps an exponential from overflowing. */
const FARTHEST = 6;

/** Log-likelihood that the plain scale must be ahead: the logarithm is right more often than not for positive series. */
const LEAN_TO_LOG = 3;

/** @returns null when all values are the same up to rounding */
export function chooseValueScale(values: Float64Array, season: number): ValueScale | null {
  const isLog = prefersLog(values, season);
  const forward = isLog ? Math.log : (value: number) => value;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, forward(value));
    high = Math.max(high, forward(value));
  }
  const range = high - low;
  if (!(range > 1e-12 * Math.max(Math.abs(low), Math.abs(high), isLog ? 1 : 0)) || range < 1e-290) return null;
  return {
    isLog,
    toUnit: (value) => (forward(value) - low) / range,
    fromUnit: (unit) => {
      const value = low + Math.min(Math.max(unit, -FARTHEST), 1 + FARTHEST) * range;
      // Positive but not zero, and finite, however far the scale reaches.
      return isLog ? Math.exp(Math.min(Math.max(value, -700), 700)) : value;
    },
  };
}

/**
 * Compares the likelihood of constant changes on both scales (changes over a season, where there is one), each seen as
 * a density of the values themselves.
 */
function prefersLog(values: Float64Array, season: number): boolean {
  if (values.some((value) => !(value > 0))) return false;
  const lag = season > 1 && values.length > 2 * season ? season : 1;
  const changes: number[] = [];
  const logChanges: number[] = [];
  let jacobian = 0;
  for (let i = lag; i < values.length; i++) {
    const now = values[i] as number;
    const before = values[i - lag] as number;
    changes.push(now - before);
    logChanges.push(Math.log(now) - Math.log(before));
    jacobian += Math.log(now);
  }
  const half = changes.length / 2;
  const advantage = half * (logVariance(changes) - logVariance(logChanges)) - jacobian;
  return !(advantage < -LEAN_TO_LOG);
}

/** Scaled first, so that squares neither overflow nor vanish. */
function logVariance(values: readonly number[]): number {
  const size = Math.max(...values.map(Math.abs));
  if (!(size > 0)) return Number.NEGATIVE_INFINITY;
  const mean = values.reduce((sum, value) => sum + value / size, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value / size - mean) ** 2, 0) / values.length;
  return Math.log(variance) + 2 * Math.log(size);
}
