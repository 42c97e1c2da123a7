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
  MODEL_CATALOGUE,
  type ModelDescription,
  type ModelRuntimes,
  type ProphetRuntime,
} from './models/index.ts';
export { detectSeason, seasonCandidates } from './seasonality/index.ts';
export type { Series } from './series.ts';
