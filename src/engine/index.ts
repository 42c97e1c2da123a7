export { type AcceptedRequest, checkForecast } from './check-forecast.ts';
export { type Comparison, canonicalResult, compareResults } from './compare-results.ts';
export { namedModels } from './ensemble/check-request.ts';
export { chooseMembers, modelsOfMode } from './ensemble/choose-members.ts';
export type { Progress, RunOptions } from './ensemble/members.ts';
export { requireEnoughRows } from './ensemble/plan.ts';
export {
  DEFAULT_QUANTILES,
  ForecastError,
  type ForecastErrorCode,
  type ForecastRequest,
  MAX_HORIZON,
  MAX_QUANTILE,
  MAX_QUANTILES,
  MAX_ROWS,
  MIN_QUANTILE,
  MODES,
  type Mode,
  maxHorizon,
} from './ensemble/request.ts';
export {
  type FoldResult,
  type ForecastResult,
  fillAuditMetrics,
  type HistoricalValidation,
  type MemberResult,
  type Prediction,
  quantileKey,
  type Weighting,
  type WeightsByQuantile,
} from './ensemble/result.ts';
export { ENGINE_VERSION, forecast } from './forecast.ts';
export { computeMetrics, type Metrics, pinballLoss } from './metrics.ts';
export {
  type AbortFlag,
  type FitContext,
  type Forecaster,
  type Model,
  ModelError,
  type ModelErrorCode,
  type QuantileSupport,
  type Series,
} from './model.ts';
export {
  createModels,
  DEFAULT_MODELS,
  MODEL_CATALOG,
  type ModelDescription,
  type ModelRuntimes,
} from './models/catalog.ts';
export type { ProphetRuntime } from './models/prophet/runtime.ts';
export { type BaselineRequest, forecastSeasonalNaive } from './models/seasonal-naive-baseline.ts';
export { readCheckpoint } from './models/toto/checkpoint/read-checkpoint.ts';
export type { StartSession } from './models/toto/decoding/network.ts';
export { checkCheckpoint, startToto, type Toto } from './models/toto/toto.ts';
export { normalProbability, normalQuantile } from './numerics/distributions.ts';
export { createRandom, type Random } from './numerics/random.ts';
export { type Interval, wilsonInterval } from './numerics/wilson-interval.ts';
export { type ForecastPreview, previewForecast } from './preview-forecast.ts';
export {
  createInlineRunner,
  type FitFailure,
  type FitOutcome,
  type FitRunner,
  type FitTask,
  type FitWindow,
  fitWindows,
} from './runner.ts';
export { seasonCandidates } from './seasonality/candidates.ts';
export { detectSeason } from './seasonality/detect-season.ts';
export { WEIGHTING_POLICIES, type WeightingPolicy } from './weighting/select-weights.ts';
