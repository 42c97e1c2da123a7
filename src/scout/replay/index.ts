export { type History, historyOf } from './history.ts';
export { planCutoffs } from './plan-cutoffs.ts';
export { replayCsv } from './replay-csv.ts';
export type { ReplayedForecast, ReplayedQuestion, ReplaySettings } from './replay-forecast.ts';
export { type ReplayReport, reportReplay } from './report.ts';
export { type ReplayOptions, type ReplayProgress, runReplay } from './run-replay.ts';
