import { type FitContext, ModelError, throwIfAborted } from '../../model.ts';
import { fitTrend, type Rows } from './fit-trend.ts';
import { chooseDamping, chooseWidening, type Holdout, holdoutOrigins } from './past-errors.ts';
import type { ProphetRuntime } from './runtime.ts';
import type { Seasonality } from './seasonalities.ts';
import { STEADY } from './settings.ts';

/** How to go on from a fit, chosen from past errors, which costs several times as much as one fit. */
export interface Choice {
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
  const holdouts = origins.flatMap(([origin, held]) => {
    throwIfAborted(context.signal);
    return holdOut(runtime, rows, origin, held, seasonalities) ?? [];
  });
  const damping = chooseDamping(holdouts);
  const widening = chooseWidening(holdouts, damping, context.seed);
  return { damping, widening, rows: rows.units.length };
}

function holdOut(
  runtime: ProphetRuntime,
  rows: Rows,
  origin: number,
  held: number,
  seasonalities: readonly Seasonality[],
): Holdout | null {
  const units = rows.units.subarray(0, origin);
  // The likelihood of rows that never moved has no maximum, and the search for it breaks the program.
  if (units.every((unit) => unit === units[0])) return null;
  const before: Rows = { times: rows.times.subarray(0, origin), units };
  const after: Rows = {
    times: rows.times.subarray(origin, origin + held),
    units: rows.units.subarray(origin, origin + held),
  };
  try {
    return { trend: fitTrend(runtime, before, seasonalities, STEADY), after };
  } catch (error) {
    // One that does not converge tells nothing; the forecast does not depend on it.
    if (error instanceof ModelError && error.code === 'NOT_CONVERGED') return null;
    throw error;
  }
}
