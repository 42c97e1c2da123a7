/**
 * How far the innovations of the coming periods differ from the average past one. ARIMA takes their variance as
 * constant; in most real series it moves with time and with the level.
 */
export interface SpreadChange {
  /** Factor on the standard deviation for what the last residuals say. */
  readonly recent: number;
  /** Average size of the past values; 0 where the level says nothing because values change sign. */
  readonly level: number;
}

/** Share of a recent change of the variance that lasts. */
const LASTING = 0.7;
/** The variance grows like the level to this power: half way between constant (0) and proportional spread (2). */
const LEVEL_POWER = 1;
/** Factors outside this range rest on too little to be believed. */
const SMALLEST = 0.5;
const LARGEST = 2.5;

/** Looks at scaled residuals (oldest first) and the observed values. */
export function spreadChange(residuals: Float64Array, values: Float64Array, season: number): SpreadChange {
  const halfLife = Math.max(2 * season, 8);
  const decay = 0.5 ** (1 / halfLife);
  let weighted = 0;
  let weights = 0;
  let plain = 0;
  let weight = 1;
  for (let t = residuals.length - 1; t >= 0; t--) {
    const square = (residuals[t] as number) ** 2;
    weighted += weight * square;
    weights += weight;
    plain += square;
    weight *= decay;
  }
  const ratio = plain > 0 ? weighted / weights / (plain / residuals.length) : 1;
  let level = 0;
  let seen = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!(value > 0)) return { recent: bounded(ratio ** (LASTING / 2)), level: 0 };
    level += value;
    seen++;
  }
  return { recent: bounded(ratio ** (LASTING / 2)), level: level / seen };
}

/** Factor on the standard deviation of a period that is expected at `expected`. */
export function spreadFactor(change: SpreadChange, expected: number): number {
  if (change.level === 0) return change.recent;
  return bounded(change.recent * Math.max(expected / change.level, 0) ** (LEVEL_POWER / 2));
}

function bounded(factor: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, factor));
}
