import { type AbortFlag, type Forecaster, type Model, ModelError, type ModelErrorCode, type Series } from './model.ts';

/** The part of a series that a fit reads, and how far to forecast after it. */
export interface FitWindow {
  /** The number of periods that the fit may read, from the start of the series. */
  readonly length: number;
  /** The number of periods to forecast after that part. */
  readonly horizon: number;
}

/** The fits of one model to several windows of one series. */
export interface FitTask {
  readonly model: string;
  readonly series: Series;
  readonly windows: readonly FitWindow[];
  readonly quantiles: readonly number[];
  readonly seed: number;
}

/** The reason why a model has no forecast. */
export interface FitFailure {
  readonly code: ModelErrorCode;
  readonly message: string;
}

/** A row for each step, with one value per quantile level. */
export type QuantileRows = readonly Float64Array[];

/** The forecast of one window, or the reason why there is none. */
export type FitOutcome = { readonly rows: QuantileRows } | { readonly failure: FitFailure };

/**
 * Runs fits in the caller's thread or in other threads. `run` rejects only if it was aborted or the runner itself
 * failed; the failure of a model is an outcome.
 */
export interface FitRunner {
  /** Ids of the models that can run. */
  readonly models: readonly string[];
  /** Returns one outcome per window of the task, in order. */
  run(task: FitTask, signal: AbortSignal | undefined): Promise<readonly FitOutcome[]>;
}

/**
 * Fits the windows of a task in order, in the caller's thread. Each fit gets the fit before it as `earlierFit`, unless
 * that fit read more periods.
 *
 * @param model the model that `task.model` names
 * @param signal stops the work, between fits and during a fit, with a `ModelError` with the code `ABORTED`
 * @returns one outcome per window; a `ModelError` of the model becomes a failure
 */
export function fitWindows(model: Model, task: FitTask, signal: AbortFlag | undefined): FitOutcome[] {
  const { series, windows, quantiles, seed } = task;
  let last: { forecaster: Forecaster; length: number } | undefined;
  return windows.map(({ length, horizon }) => {
    // A fit to more periods holds information that a fit to fewer periods must not use.
    const earlierFit = last !== undefined && last.length <= length ? last.forecaster : undefined;
    const past: Series = {
      ...series,
      values: series.values.subarray(0, length),
      times: series.times.subarray(0, length),
    };
    try {
      const forecaster = model.fit(past, { seed, signal, earlierFit });
      last = { forecaster, length };
      return { rows: forecaster(horizon, quantiles) };
    } catch (error) {
      if (!(error instanceof ModelError) || error.code === 'ABORTED') throw error;
      return { failure: { code: error.code, message: error.message } };
    }
  });
}

/**
 * Creates a runner that fits in the caller's thread and blocks it meanwhile, for scripts and tests.
 *
 * @param models by id; `createModels` returns such a map
 */
export function createInlineRunner(models: ReadonlyMap<string, Model>): FitRunner {
  return {
    models: [...models.keys()],
    run: async (task, signal) => {
      const model = models.get(task.model);
      if (model === undefined) throw new RangeError(`Unknown model '${task.model}'.`);
      return fitWindows(model, task, signal);
    },
  };
}
