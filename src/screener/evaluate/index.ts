export { FILTERS_A_PASS, symbolsMatched } from './batch.ts';
export { type CompiledFilter, compileFilter, namedColumns } from './compile-filter.ts';
export { evaluate, evaluateOn, type Preview, previewFilter, previewOn } from './evaluate.ts';
export { type Metrics, metricsAt, metricsIn, type SessionDate } from './metrics-source.ts';
export type { FilterMatch, FilterRules, Match, MatchedValues, StoredRules } from './rules.ts';
