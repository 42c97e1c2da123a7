import { type Metrics, measure } from '../validation/metrics.ts';
import type { Weights } from '../weighting/panel.ts';
import type { SpreadCalibration } from '../weighting/spread-calibration.ts';
import { type Member, rowsOf } from './members.ts';
import type { PastWindow, Plan } from './plan.ts';
import { poolRows } from './pool.ts';
import { type WeightsByQuantile, writeWeights } from './quantile-keys.ts';

/** How the chosen weights did on rows that chose nothing. */
export interface HistoricalValidation {
  readonly policy: 'chronological_holdout_v1';
  readonly method: 'chronological_holdout';
  readonly status: 'completed' | 'insufficient_history' | 'no_matching_outcomes' | 'failed';
  readonly training_rows?: number;
  readonly holdout_rows?: number;
  readonly training_end_at?: string;
  readonly validation_start_at?: string;
  readonly validation_end_at?: string;
  readonly requested_models: readonly string[];
  readonly effective_weights_by_quantile: WeightsByQuantile;
  readonly metrics: Metrics | null;
}

/** What a pool of members is made with. */
export interface PoolSettings {
  readonly members: readonly Member[];
  readonly weights: Weights;
  readonly calibration: SpreadCalibration;
}

/** The members' forecasts for the validation window, pooled; null where no member has one. */
export function scoreValidation(
  plan: Plan,
  levels: readonly number[],
  quantiles: readonly number[],
  settings: PoolSettings,
): { readonly metrics: Metrics; readonly weights: Weights } | null {
  const rows = settings.members.map(({ validation }) => rowsOf(validation));
  if (plan.validation === null || rows.every((member) => member === null)) return null;
  const weights = passToSurvivors(
    settings.weights,
    settings.members.map(({ supports }, i) => supports.map((isGiven) => isGiven && rows[i] !== null)),
  );
  const pooled = poolRows(rows, weights, levels, plan.spaces.after(plan.validation.length), settings.calibration);
  const asked = quantiles.map((quantile) => levels.indexOf(quantile));
  const scored = plan.validation.outcomes.map(({ step, actual }) => ({
    actual,
    quantiles: asked.map((q) => (pooled[step] as Float64Array)[q] as number),
  }));
  return { metrics: measure(scored, quantiles), weights };
}

export function validate(
  plan: Plan,
  levels: readonly number[],
  quantiles: readonly number[],
  requested: readonly string[],
  settings: PoolSettings,
): HistoricalValidation {
  const base = {
    policy: 'chronological_holdout_v1',
    method: 'chronological_holdout',
    requested_models: requested,
    effective_weights_by_quantile: {},
    metrics: null,
  } as const;
  if (plan.validation === null) return { ...base, status: 'insufficient_history' };
  const span = describeWindow(plan, plan.validation);
  if (plan.validation.outcomes.length === 0) return { ...base, ...span, status: 'no_matching_outcomes' };
  const score = scoreValidation(plan, levels, quantiles, settings);
  if (score === null) return { ...base, ...span, status: 'failed' };
  return {
    ...base,
    ...span,
    status: 'completed',
    effective_weights_by_quantile: writeWeights(score.weights, settings.members, levels, quantiles),
    metrics: score.metrics,
  };
}

/** Rows and dates of a window as they are written. */
export function describeWindow({ series, rows }: Plan, { training, horizon }: PastWindow) {
  const at = (row: number): string => new Date(series.times[rows.periodsOf(row) - 1] as number).toISOString();
  return {
    training_rows: training,
    holdout_rows: horizon,
    training_end_at: at(training),
    validation_start_at: at(training + 1),
    validation_end_at: at(training + horizon),
  };
}

/**
 * Without the members that have no forecast; their shares go to the others in proportion, or equally where these had
 * none.
 *
 * @param given by member, then by level: whether there is a forecast
 */
function passToSurvivors(weights: Weights, given: readonly (readonly boolean[])[]): Weights {
  return weights.map((row, q) => {
    const kept = row.map((weight, i) => (given[i]?.[q] ? weight : 0));
    const total = kept.reduce((sum, weight) => sum + weight, 0);
    if (total > 0) return kept.map((weight) => weight / total);
    const equal = row.map((_, i) => (given[i]?.[q] ? 1 : 0));
    const count = equal.reduce((sum, one) => sum + one, 0);
    return count > 0 ? equal.map((one) => one / count) : row;
  });
}
