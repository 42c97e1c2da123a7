import { pow } from '../../numerics/elementary.ts';
import type { Snapshot } from './choose-profile.ts';

/** How the seasonally adjusted rows are continued: from their recent value, back to their level. */
export interface RemainderSettings {
  /** The share of a new row in the level. */
  readonly level: number;
  /** The share of a new row in the recent value. */
  readonly recent: number;
  /** The share of the distance between the two that remains after each step. */
  readonly keep: number;
}

const LEVELS = [0.3, 0.1, 0.04, 0.015, 0.006];
const RECENTS = [1, 0.5, 0.25];
const KEEPS = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];
/** The positions in these lists of the settings of a series without past origins. */
const DEFAULT = [1, 0, 4] as const;
/** Rows older than this many mean lifetimes of the level are not read. */
const LIFETIMES = 5;
const MAX_ROWS_BACK = 700;
/** Steps that are scored; their errors stand for those of later steps. */
export const MAX_SCORED_STEPS = 60;

/** Errors of forecasts from past origins: for each origin, the error of each step, or NaN. */
export interface Backtest {
  readonly settings: RemainderSettings;
  readonly errors: readonly Float64Array[];
  readonly origins: readonly number[];
}

/** Levels of the seasonally adjusted rows before an origin, for each share that is tried. */
function smoothBefore(values: Float64Array, { origin, profile }: Snapshot, share: number): number {
  const from = Math.max(0, origin - Math.min(MAX_ROWS_BACK, Math.ceil(LIFETIMES / share)));
  let mean = 0;
  let weight = 0;
  for (let t = from; t < origin; t++) {
    const value = (values[t] as number) - (profile[t % profile.length] as number);
    weight *= 1 - share;
    mean *= 1 - share;
    if (Number.isNaN(value)) continue;
    weight += share;
    mean += share * value;
  }
  // A long gap at the end of a history leaves no row; the forecast is then the pattern around zero.
  return weight > 1e-12 ? mean / weight : 0;
}

/**
 * Chooses the settings with the smallest absolute errors of all steps from all past origins.
 *
 * @param values the rows without outliers, from which is forecast
 * @param outcomes the rows that came
 */
export function chooseRemainder(
  values: Float64Array,
  outcomes: Float64Array,
  snapshots: readonly Snapshot[],
  horizon: number,
): Backtest {
  const steps = Math.min(horizon, MAX_SCORED_STEPS);
  const past = snapshots.slice(0, -1);
  const levels = past.map((one) => LEVELS.map((share) => smoothBefore(values, one, share)));
  const recents = past.map((one) => RECENTS.map((share) => smoothBefore(values, one, share)));
  const adjusted = past.map(({ origin, profile }) =>
    Float64Array.from({ length: steps }, (_, h) =>
      origin + h < values.length
        ? (outcomes[origin + h] as number) - (profile[(origin + h) % profile.length] as number)
        : Number.NaN,
    ),
  );
  const powers = KEEPS.map((keep) => Float64Array.from({ length: steps }, (_, h) => pow(keep, h + 1)));
  let best: readonly [level: number, recent: number, keep: number] = DEFAULT;
  let least = Number.POSITIVE_INFINITY;
  for (let l = 0; l < LEVELS.length; l++)
    for (let r = 0; r < RECENTS.length; r++)
      for (let k = 0; k < KEEPS.length; k++) {
        let sum = 0;
        for (let i = 0; i < past.length; i++) {
          const level = levels[i]?.[l] as number;
          const away = (recents[i]?.[r] as number) - level;
          const outcome = adjusted[i] as Float64Array;
          const power = powers[k] as Float64Array;
          for (let h = 0; h < steps; h++) {
            const error = Math.abs((outcome[h] as number) - level - away * (power[h] as number));
            if (error >= 0) sum += error;
          }
        }
        if (past.length > 0 && sum < least) {
          least = sum;
          best = [l, r, k];
        }
      }
  const [l, r, k] = best;
  return {
    settings: { level: LEVELS[l] as number, recent: RECENTS[r] as number, keep: KEEPS[k] as number },
    errors: adjusted.map((outcome, i) => {
      const level = levels[i]?.[l] as number;
      const away = (recents[i]?.[r] as number) - level;
      return outcome.map((value, h) => value - level - away * (powers[k]?.[h] as number));
    }),
    origins: past.map(({ origin }) => origin),
  };
}

/** Returns the forecast of the seasonally adjusted rows after the last one, plus the pattern. */
export function continueRows(
  values: Float64Array,
  snapshots: readonly Snapshot[],
  settings: RemainderSettings,
  horizon: number,
): Float64Array {
  const last = snapshots[snapshots.length - 1] as Snapshot;
  const level = smoothBefore(values, last, settings.level);
  const away = smoothBefore(values, last, settings.recent) - level;
  return Float64Array.from(
    { length: horizon },
    (_, h) =>
      level + away * pow(settings.keep, h + 1) + (last.profile[(last.origin + h) % last.profile.length] as number),
  );
}
