import { type AbortFlag, type Forecaster, type Model, ModelError, type ModelErrorCode } from './model.ts';
import type { Series } from './series.ts';

/** A point of a series' past to forecast from. */
export interface FitWindow {
  /** How many periods of the series the fit may see. */
  readonly length: number;
  readonly horizon: number;
}

/** One model, fitted to one series at several points of its past. */
export interface FitTask {
  readonly model: string;
  readonly series: Series;
  readonly windows: readonly FitWindow[];
  readonly quantiles: readonly number[];
  readonly seed: number;
}

/** Why a model has no forecast. */
export interface FitFailure {
  readonly code: ModelErrorCode;
  readonly message: string;
}

/** One row of quantiles per step, or a failure with a name. */
export type FitOutcome = { readonly rows: readonly Float64Array[] } | { readonly failure: FitFailure };

/**
 * Runs fits, here or in other threads. `run` rejects only when it was aborted or the runner itself broke; a model that
 * cannot forecast is an outcome.
 */
export interface FitRunner {
  /** The models that can run. */
  readonly models: readonly string[];
  run(task: FitTask, signal: AbortSignal | undefined): Promise<readonly FitOutcome[]>;
}

/** Fits the windows of a task one after the other; each may take over what the one before it has found out. */
export function fitWindows(model: Model, task: FitTask, signal: AbortFlag | undefined): FitOutcome[] {
  const { series, windows, quantiles, seed } = task;
  let last: { forecaster: Forecaster; length: number } | undefined;
  return windows.map(({ length, horizon }) => {
    // A longer past knows what the shorter one must not.
    const earlier = last !== undefined && last.length <= length ? last.forecaster : undefined;
    const past: Series = {
      ...series,
      values: series.values.subarray(0, length),
      times: series.times.subarray(0, length),
    };
    try {
      const forecaster = model.fit(past, { seed, signal, earlier });
      last = { forecaster, length };
      return { rows: forecaster(horizon, quantiles) };
    } catch (error) {
      if (!(error instanceof ModelError) || error.code === 'ABORTED') throw error;
      return { failure: { code: error.code, message: error.message } };
    }
  });
}

/** Runs every fit at once in the thread of the caller: for scripts and tests, where nothing else waits. */
export function createInlineRunner(models: ReadonlyMap<string, Model>): FitRunner {
  return {
    models: [...models.keys()],
    run: async (task, signal) => {
      const model = models.get(task.model);
      if (model === undefined) throw new RangeError(`There is no model '${task.model}'.`);
      return fitWindows(model, task, signal);
    },
  };
}
