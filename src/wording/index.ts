export { type Audit, describeAudit, gainOf, MIN_DIFFERENCE, type Warning } from './audit.ts';
export {
  type ForecastWords,
  type Metrics,
  nameOfPeriod,
  type Weighting,
  type WordedForecast,
  wordsOf,
} from './forecast-words.ts';
export {
  formatCount,
  formatDay,
  formatExact,
  formatInteger,
  formatMoment,
  formatProbability,
  formatRatio,
  formatShare,
  formatSize,
  isIntraday,
  periodFormat,
  valueFormat,
} from './format.ts';
export { type HorizonWords, wordHorizon } from './horizons.ts';
export { countInside, type ForecastFormats, formatsOf, type Levels, levelsOf, type Prediction } from './levels.ts';
export { nameModel } from './model-names.ts';
export { summarizeAudit } from './summarize-audit.ts';
