import { computeMetrics, type Metrics } from '../metrics.ts';
import type { Weights } from '../weighting/panel.ts';
import type { SpreadCalibration } from '../weighting/spread-calibration.ts';
import { type MemberModel, rowsOf } from './members.ts';
import type { ForecastPlan, PastWindow } from './plan.ts';
import { type PoolWeights, poolRows } from './pool.ts';
import { type HistoricalValidation, toWeightsByQuantile } from './result.ts';

/** Everything that determines a pool. */
interface PoolSettings extends PoolWeights {
  readonly members: readonly MemberModel[];
  readonly calibration: SpreadCalibration;
}

/** Pools and scores the forecasts for the validation window. Returns null if no member model has a forecast for it. */
export function scoreValidation(
  plan: ForecastPlan,
  levels: readonly number[],
  quantiles: readonly number[],
  settings: PoolSettings,
): { readonly metrics: Metrics; readonly weights: Weights } | null {
  const rows = settings.members.map(({ validation }) => rowsOf(validation));
  if (plan.validation === null || rows.every((member) => member === null)) return null;
  const hasForecast = settings.members.map(({ supports }, i) =>
    supports.map((isSupported) => isSupported && rows[i] !== null),
  );
  const weights = redistributeWeights(settings.weights, hasForecast);
  const spread = settings.spread && {
    ...settings.spread,
    weights: redistributeWeights(settings.spread.weights, hasForecast),
  };
  const pooled = poolRows(
    rows,
    { weights, spread },
    levels,
    plan.spaces.atOrigin(plan.validation.length),
    settings.calibration,
  );
  const requestedLevels = quantiles.map((quantile) => levels.indexOf(quantile));
  const scored = plan.validation.outcomes.map(({ step, actual }) => ({
    actual,
    quantiles: requestedLevels.map((q) => (pooled[step] as Float64Array)[q] as number),
  }));
  return { metrics: computeMetrics(scored, quantiles), weights };
}

/** Returns the part of the result that describes the validation window. */
export function describeValidation(
  plan: ForecastPlan,
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
    effective_weights_by_quantile: toWeightsByQuantile(score.weights, settings.members, levels, quantiles),
    metrics: score.metrics,
  };
}

/** Returns the row counts and dates of a window. */
export function describeWindow({ series, rows }: ForecastPlan, { training, horizon }: PastWindow) {
  const at = (row: number): string => new Date(series.times[rows.periodsThrough(row) - 1] as number).toISOString();
  return {
    training_rows: training,
    holdout_rows: horizon,
    training_end_at: at(training),
    validation_start_at: at(training + 1),
    validation_end_at: at(training + horizon),
  };
}

/**
 * Sets the weights of member models without a forecast to 0. Distributes their shares among the other member models in
 * proportion to the weights of those models, or equally if their weights are all 0.
 *
 * @param hasForecast by member model, then by level
 */
function redistributeWeights(weights: Weights, hasForecast: readonly (readonly boolean[])[]): Weights {
  return weights.map((row, q) => {
    const kept = row.map((weight, i) => (hasForecast[i]?.[q] ? weight : 0));
    const total = kept.reduce((sum, weight) => sum + weight, 0);
    if (total > 0) return kept.map((weight) => weight / total);
    const equal = row.map((_, i) => (hasForecast[i]?.[q] ? 1 : 0));
    const count = equal.reduce((sum, one) => sum + one, 0);
    return count > 0 ? equal.map((one) => one / count) : row;
  });
}
