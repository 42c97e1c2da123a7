export { canonicalJson } from './canonical-json.ts';
export { type AcceptedRequest, checkForecast } from './check-forecast.ts';
export { type Comparison, canonicalResult, compareResults } from './compare-results.ts';
export { ENGINE_VERSION } from './engine-version.ts';
export { ForecastError, type ForecastErrorCode } from './ensemble/forecast-error.ts';
export type { Progress, RunOptions } from './ensemble/members.ts';
export { refuseTooFewRows } from './ensemble/plan.ts';
export { quantileKey, type WeightsByQuantile } from './ensemble/quantile-keys.ts';
export {
  DEFAULT_QUANTILES,
  type ForecastRequest,
  MAX_QUANTILE,
  MAX_QUANTILES,
  MAX_ROWS,
  MAX_STEPS_AHEAD,
  MIN_QUANTILE,
} from './ensemble/request.ts';
export type { FoldResult, ForecastResult, MemberResult, Prediction, Weighting } from './ensemble/result.ts';
export type { HistoricalValidation } from './ensemble/validate.ts';
export { forecast } from './forecast.ts';
export {
  type AbortFlag,
  type FitContext,
  type Forecaster,
  type Model,
  ModelError,
  type ModelErrorCode,
  type QuantileSupport,
} from './model.ts';
export {
  createModels,
  DEFAULT_MODELS,
  MODEL_CATALOGUE,
  type ModelDescription,
  type ModelRuntimes,
  type ProphetRuntime,
} from './models/index.ts';
export { checkCheckpoint, readCheckpoint, type StartSession, startToto, type Toto } from './models/toto/index.ts';
export { normalProbability, normalQuantile } from './numerics/normal.ts';
export { createRandom, type Random } from './numerics/random.ts';
export {
  createInlineRunner,
  type FitFailure,
  type FitOutcome,
  type FitRunner,
  type FitTask,
  type FitWindow,
  fitWindows,
} from './runner.ts';
export { detectSeason, seasonCandidates } from './seasonality/index.ts';
export type { Series } from './series.ts';
export type { Metrics } from './validation/metrics.ts';
export { WEIGHTING_POLICIES, type WeightingPolicy } from './weighting/select-weights.ts';
