import { type FitContext, ModelError, throwIfAborted } from '../../model.ts';
import { fitTrend, type Rows } from './fit-trend.ts';
import { chooseDamping, chooseWidening, type Holdout, holdoutOrigins, meanError } from './past-errors.ts';
import type { ProphetRuntime } from './runtime.ts';
import type { Seasonality } from './seasonalities.ts';
import { FOLLOWING, MARGIN, STEADY, type TrendSettings, USUAL_DAMPING } from './settings.ts';

/** How to fit, chosen from past errors, which costs several times as much as one fit. */
export interface Choice {
  readonly settings: TrendSettings;
  readonly damping: number;
  readonly widening: number;
  /** How many rows it was chosen on. */
  readonly rows: number;
}

export function chooseHowToFit(
  runtime: ProphetRuntime,
  rows: Rows,
  season: number,
  seasonalities: readonly Seasonality[],
  context: FitContext,
): Choice {
  const origins = holdoutOrigins(rows.units.length, season);
  const past = (settings: TrendSettings): Holdout[] =>
    origins.flatMap(([origin, held]) => {
      throwIfAborted(context.signal);
      return holdOut(runtime, rows, origin, held, seasonalities, settings) ?? [];
    });
  let settings = FOLLOWING;
  let holdouts = past(FOLLOWING);
  if (holdouts.length > 0) {
    const steady = past(STEADY);
    if (steady.length === holdouts.length && bestError(steady) < MARGIN * bestError(holdouts)) {
      settings = STEADY;
      holdouts = steady;
    }
  }
  const damping = chooseDamping(holdouts);
  const widening = chooseWidening(holdouts, damping, context.seed);
  return { settings, damping, widening, rows: rows.units.length };
}

function bestError(holdouts: readonly Holdout[]): number {
  return Math.min(meanError(holdouts, USUAL_DAMPING), meanError(holdouts, 1));
}

function holdOut(
  runtime: ProphetRuntime,
  rows: Rows,
  origin: number,
  held: number,
  seasonalities: readonly Seasonality[],
  settings: TrendSettings,
): Holdout | null {
  const before: Rows = { times: rows.times.subarray(0, origin), units: rows.units.subarray(0, origin) };
  const after: Rows = {
    times: rows.times.subarray(origin, origin + held),
    units: rows.units.subarray(origin, origin + held),
  };
  try {
    return { trend: fitTrend(runtime, before, seasonalities, settings), after };
  } catch (error) {
    // One that does not converge tells nothing; the forecast does not depend on it.
    if (error instanceof ModelError && error.code === 'NOT_CONVERGED') return null;
    throw error;
  }
}
