import type { z } from 'zod';
import { Fault, type FromForecastBody, MAX_QUESTIONS } from '../../contract/index.ts';

export type FromForecastRequest = z.output<typeof FromForecastBody>;

export interface ChosenQuestion {
  /** From 1. */
  readonly step: number;
  readonly threshold: number;
}

/**
 * Every threshold at every step that a request asks about, each once, in the order of both.
 *
 * @param horizon steps that the forecast has
 * @param last the last observed value, which changes are counted from
 */
export function chooseQuestions(
  { thresholds = [], changes_pct: changes = [], steps: asked }: FromForecastRequest,
  horizon: number,
  last: number,
): ChosenQuestion[] {
  if (thresholds.length + changes.length === 0) {
    throw new Fault('INVALID_REQUEST', 'thresholds: name at least one, here or in changes_pct.');
  }
  if (changes.length > 0 && !(last > 0)) {
    throw new Fault(
      'UNPROCESSABLE',
      `changes_pct: the last value is ${last}, and changes are counted from one above 0.`,
    );
  }
  const steps = ascending(asked ?? [horizon]);
  const beyond = steps.find((step) => step > horizon);
  if (beyond !== undefined) throw new Fault('INVALID_REQUEST', `steps: the forecast has ${horizon}, not ${beyond}.`);
  const values = ascending([...thresholds, ...changes.map((change) => changed(last, change))]);
  const chosen = steps.flatMap((step) => values.map((threshold) => ({ step, threshold })));
  if (chosen.length <= MAX_QUESTIONS) return chosen;
  throw new Fault(
    'INVALID_REQUEST',
    `thresholds: with the steps these are ${chosen.length} questions; ${MAX_QUESTIONS} at most.`,
  );
}

/** Without the noise that binary fractions add: 1250 and 2 % are 1275, not 1275.0000000000002. */
export function changed(last: number, percent: number): number {
  return Number((last * (1 + percent / 100)).toPrecision(12));
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
