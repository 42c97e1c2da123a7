import { MODEL_CATALOG } from '../models/catalog.ts';
import type { FitFailure, FitOutcome, FitRunner, FitWindow, QuantileRows } from '../runner.ts';
import type { ForecastPlan } from './plan.ts';
import type { CheckedRequest } from './request.ts';

/** The outcomes of one member model: its forecasts, or why it has none. */
export interface MemberModel {
  readonly id: string;
  /** By level: whether the model supports this quantile. */
  readonly supports: readonly boolean[];
  readonly folds: readonly FitOutcome[];
  readonly validation: FitOutcome | null;
  readonly final: FitOutcome;
}

/** The progress of a forecast, in the fields of the API. */
export interface Progress {
  readonly completed_models: number;
  readonly total_models: number;
  /** The first model that is not completed; null if all are completed. */
  readonly current_model: string | null;
}

/** Options of `forecast`. */
export interface RunOptions {
  /** Fits the models. */
  readonly runner: FitRunner;
  /** Aborts the forecast. */
  readonly signal?: AbortSignal | undefined;
  /** Called at the start and whenever a model completes. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Runs every model from the origin of each fold, from the origin of the validation window and from the end of the
 * series.
 */
export async function runMemberModels(
  request: CheckedRequest,
  plan: ForecastPlan,
  levels: readonly number[],
  { runner, signal, onProgress }: RunOptions,
): Promise<MemberModel[]> {
  const { models, seed } = request;
  const done = new Set<string>();
  const report = (): void =>
    onProgress?.({
      completed_models: done.size,
      total_models: models.length,
      current_model: models.find((id) => !done.has(id)) ?? null,
    });
  const pastWindows = [...plan.folds, ...(plan.validation === null ? [] : [plan.validation])];
  const end: FitWindow = { length: plan.series.values.length, horizon: request.horizon };
  report();
  return Promise.all(
    models.map(async (model): Promise<MemberModel> => {
      const supports = areLevelsSupported(model, levels);
      const quantiles = levels.filter((_, q) => supports[q]);
      const task = { model, series: plan.series, quantiles, seed };
      const windows = pastWindows.map(({ length, horizon }) => ({ length, horizon }));
      const [pastOutcomes, last] = await Promise.all([
        windows.length > 0 ? runner.run({ ...task, windows }, signal) : [],
        runner.run({ ...task, windows: [end] }, signal),
      ]);
      done.add(model);
      report();
      const outcomes = pastOutcomes.map((outcome) => expandToLevels(outcome, supports));
      return {
        id: model,
        supports,
        folds: outcomes.slice(0, plan.folds.length),
        validation: outcomes[plan.folds.length] ?? null,
        final: expandToLevels(last[0] as FitOutcome, supports),
      };
    }),
  );
}

/** Returns the rows of an outcome; null if there is no outcome or it is a failure. */
export function rowsOf(outcome: FitOutcome | null): QuantileRows | null {
  return outcome !== null && 'rows' in outcome ? outcome.rows : null;
}

/** Returns the failure of an outcome; null if it has rows. */
export function fitFailureOf(outcome: FitOutcome): FitFailure | null {
  return 'failure' in outcome ? outcome.failure : null;
}

/** Returns for each level whether a model of the catalog supports it. */
export function areLevelsSupported(id: string, levels: readonly number[]): boolean[] {
  const support = MODEL_CATALOG.find((model) => model.id === id)?.quantileSupport ?? { type: 'requested' };
  return levels.map((level) => 'type' in support || (level >= support.min && level <= support.max));
}

/**
 * Expands rows to all levels, with NaN at the levels that the model does not support. Rows with infinite values become
 * a failure.
 */
function expandToLevels(outcome: FitOutcome, supports: readonly boolean[]): FitOutcome {
  const rows = rowsOf(outcome);
  if (rows === null) return outcome;
  if (!rows.every((row) => row.every(Number.isFinite))) {
    return { failure: { code: 'NOT_CONVERGED', message: 'The forecast leaves the range of numbers.' } };
  }
  if (supports.every(Boolean)) return outcome;
  return {
    rows: rows.map((row) => {
      let at = 0;
      return Float64Array.from(supports, (isSupported) => (isSupported ? (row[at++] as number) : Number.NaN));
    }),
  };
}
