import { boundedFactor, recentSpread } from '../../numerics/recent-spread.ts';

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

/** The variance grows like the level to this power: half way between constant (0) and proportional spread (2). */
const LEVEL_POWER = 1;

/** Looks at scaled residuals (oldest first) and the observed values. */
export function spreadChange(residuals: Float64Array, values: Float64Array, season: number): SpreadChange {
  const recent = recentSpread(residuals, season);
  let level = 0;
  let seen = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!(value > 0)) return { recent, level: 0 };
    level += value;
    seen++;
  }
  return { recent, level: level / seen };
}

/** Factor on the standard deviation of a period that is expected at `expected`. */
export function spreadFactor(change: SpreadChange, expected: number): number {
  if (change.level === 0) return change.recent;
  return boundedFactor(change.recent * Math.max(expected / change.level, 0) ** (LEVEL_POWER / 2));
}
