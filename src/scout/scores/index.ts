export { type BootstrapOptions, type Interval, percentileInterval, resample } from './bootstrap.ts';
export { type CalibrationBin, calibrationBins, expectedCalibrationError } from './calibration.ts';
export { brierScore, LEAST_PROBABILITY, logScore, SCORE_DEFINITION } from './question-scores.ts';
export { type Figures, type ScoreSummary, summarise } from './summarise.ts';
export type { ScoredQuestion } from './tally.ts';
