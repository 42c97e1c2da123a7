import { MODEL_CATALOGUE } from '../models/index.ts';
import type { FitFailure, FitOutcome, FitRunner, FitWindow } from '../runner.ts';
import type { Plan } from './plan.ts';
import type { CheckedRequest } from './request.ts';

/** Rows of quantiles by step, one value per level. */
export type QuantileRows = readonly Float64Array[];

/** One model's part in a forecast. Where it has no forecast, why. */
export interface Member {
  readonly id: string;
  /** By level: whether the model gives this quantile. */
  readonly supports: readonly boolean[];
  readonly folds: readonly FitOutcome[];
  readonly validation: FitOutcome | null;
  readonly final: FitOutcome;
}

/** How far a forecast has come. */
export interface Progress {
  readonly completed_models: number;
  readonly total_models: number;
  /** The first model that is still at work. */
  readonly current_model: string | null;
}

export interface RunOptions {
  readonly runner: FitRunner;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Lets every model forecast from every fold, from the validation window and from the end of the series. */
export async function runMembers(
  request: CheckedRequest,
  plan: Plan,
  levels: readonly number[],
  { runner, signal, onProgress }: RunOptions,
): Promise<Member[]> {
  const { models, seed } = request;
  const done = new Set<string>();
  const report = (): void =>
    onProgress?.({
      completed_models: done.size,
      total_models: models.length,
      current_model: models.find((id) => !done.has(id)) ?? null,
    });
  const past = [...plan.folds, ...(plan.validation === null ? [] : [plan.validation])];
  const end: FitWindow = { length: plan.series.values.length, horizon: request.horizon };
  report();
  return Promise.all(
    models.map(async (model): Promise<Member> => {
      const supports = supportedLevels(model, levels);
      const quantiles = levels.filter((_, q) => supports[q]);
      const task = { model, series: plan.series, quantiles, seed };
      const windows = past.map(({ length, horizon }) => ({ length, horizon }));
      const [early, last] = await Promise.all([
        windows.length > 0 ? runner.run({ ...task, windows }, signal) : [],
        runner.run({ ...task, windows: [end] }, signal),
      ]);
      done.add(model);
      report();
      const outcomes = early.map((outcome) => onAllLevels(outcome, supports));
      return {
        id: model,
        supports,
        folds: outcomes.slice(0, plan.folds.length),
        validation: outcomes[plan.folds.length] ?? null,
        final: onAllLevels(last[0] as FitOutcome, supports),
      };
    }),
  );
}

export function rowsOf(outcome: FitOutcome | null): QuantileRows | null {
  return outcome !== null && 'rows' in outcome ? outcome.rows : null;
}

export function failureOf(outcome: FitOutcome): FitFailure | null {
  return 'failure' in outcome ? outcome.failure : null;
}

/** Which quantiles a model of the catalogue gives. */
export function supportedLevels(id: string, levels: readonly number[]): boolean[] {
  const support = MODEL_CATALOGUE.find((model) => model.id === id)?.quantileSupport ?? { type: 'requested' };
  return levels.map((level) => 'type' in support || (level >= support.min && level <= support.max));
}

/** Puts the quantiles a model gives at their places among all levels; NaN at the others. Nothing infinite passes. */
function onAllLevels(outcome: FitOutcome, supports: readonly boolean[]): FitOutcome {
  const rows = rowsOf(outcome);
  if (rows === null) return outcome;
  if (!rows.every((row) => row.every(Number.isFinite))) {
    return { failure: { code: 'NOT_CONVERGED', message: 'The forecast leaves the range of numbers.' } };
  }
  if (supports.every(Boolean)) return outcome;
  return {
    rows: rows.map((row) => {
      let at = 0;
      return Float64Array.from(supports, (isGiven) => (isGiven ? (row[at++] as number) : Number.NaN));
    }),
  };
}
