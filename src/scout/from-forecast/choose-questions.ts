import type { z } from 'zod';
import { type FromForecastBody, MAX_QUESTIONS } from '../../contract/index.ts';
import { changesNeedPositiveValue, stepBeyondHorizon, thresholdRequired, tooManyQuestions } from '../faults.ts';

export type FromForecastRequest = z.output<typeof FromForecastBody>;

export interface ChosenQuestion {
  /** Counts from 1. */
  readonly step: number;
  readonly threshold: number;
}

/**
 * Returns every requested pair of step and threshold once, ordered by step and then by threshold.
 *
 * @param horizon the horizon of the forecast
 * @param last the last observed value, to which changes in percent apply
 */
export function chooseQuestions(
  { thresholds = [], changes_pct: changes = [], steps: requested }: FromForecastRequest,
  horizon: number,
  last: number,
): ChosenQuestion[] {
  if (thresholds.length + changes.length === 0) throw thresholdRequired();
  if (changes.length > 0 && !(last > 0)) throw changesNeedPositiveValue(last);
  const steps = sortDistinct(requested ?? [horizon]);
  const beyond = steps.find((step) => step > horizon);
  if (beyond !== undefined) throw stepBeyondHorizon(beyond, horizon);
  const values = sortDistinct([...thresholds, ...changes.map((change) => addPercent(last, change))]);
  const chosen = steps.flatMap((step) => values.map((threshold) => ({ step, threshold })));
  if (chosen.length > MAX_QUESTIONS) throw tooManyQuestions(chosen.length, MAX_QUESTIONS);
  return chosen;
}

/**
 * Applies a change in percent, and rounds off the noise of binary fractions: 1250 plus 2% is 1275, not
 * 1275.0000000000002.
 */
export function addPercent(last: number, percent: number): number {
  return Number((last * (1 + percent / 100)).toPrecision(12));
}

function sortDistinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
