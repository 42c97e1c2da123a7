import type { Engine, ForecastOptions } from '../../compute/index.ts';
import { addPercent } from '../from-forecast/choose-questions.ts';
import { type ProbabilityReading, readProbability } from '../from-forecast/read-probability.ts';
import { decideOutcome } from '../rules/decide-outcome.ts';
import type { ReplayHistory } from './history.ts';

export interface ReplaySettings {
  /** The horizons, in rows after the cutoff. Each horizon gets its own forecast. */
  readonly horizons: readonly number[];
  /** The changes, in percent of the last value before the cutoff. */
  readonly changes: readonly number[];
  /**
   * The number of rows before the cutoff that the ensemble reads. Base rates are computed from all rows before the
   * cutoff.
   */
  readonly rows: number;
  readonly models: readonly string[];
  readonly checkpoints: NonNullable<ForecastOptions['checkpoints']>;
}

/** A question at a past cutoff, with its probability and its outcome. */
export interface ReplayedQuestion extends ProbabilityReading {
  /** The time of the last row before the cutoff. */
  readonly cutoff: string;
  readonly horizon: number;
  readonly change: number;
  readonly threshold: number;
  readonly observed: { readonly timestamp: string; readonly value: number };
  readonly base_rate: number;
  readonly happened: boolean;
}

export interface ReplayedForecast {
  readonly cutoff: string;
  readonly horizon: number;
  readonly questions: readonly ReplayedQuestion[];
  /** Models that did not complete. */
  readonly omittedModels: readonly string[];
}

/**
 * Creates and resolves the questions of one cutoff and horizon. The ensemble forecasts from the rows before the cutoff.
 * Probabilities are computed as for any question from a forecast, and outcomes are decided as by any rule.
 *
 * The forecast ends at the horizon because the engine sets its spread by the errors at the requested horizon.
 */
export async function replayForecast(
  engine: Engine,
  { cadence, timestamps, values }: ReplayHistory,
  { cutoff: cut, horizon }: { readonly cutoff: number; readonly horizon: number },
  { changes, rows, models, checkpoints }: ReplaySettings,
  signal?: AbortSignal,
): Promise<ReplayedForecast> {
  const from = Math.max(0, cut - rows);
  const read = { timestamps: timestamps.slice(from, cut), values: values.slice(from, cut) };
  const { predictions, members } = await engine.forecast(
    { cadence, ...read, horizon, models },
    { checkpoints, signal },
  );
  const past = values.subarray(0, cut);
  const [last, outcome] = [values[cut - 1], values[cut - 1 + horizon]] as [number, number];
  const cutoff = formatTime(timestamps[cut - 1]);
  const observed = { timestamp: formatTime(timestamps[cut - 1 + horizon]), value: outcome };
  const questions = changes.map((change) => {
    const threshold = addPercent(last, change);
    return {
      cutoff,
      horizon,
      change,
      threshold,
      observed,
      ...readProbability(predictions[horizon - 1]?.quantiles ?? {}, 'gt', threshold, {
        values: read.values,
        steps: horizon,
      }),
      base_rate: computeBaseRate(past, horizon, change),
      happened: decideOutcome({ op: 'gt', threshold }, outcome) === 'yes',
    };
  });
  const omittedModels = members.filter(({ status }) => status !== 'completed').map(({ model }) => model);
  return { cutoff, horizon, questions, omittedModels };
}

function formatTime(time = Number.NaN): string {
  return new Date(time).toISOString();
}

/**
 * Returns the probability according to history alone: the share of past windows in which the value rose by more than
 * the change. The windows are as long as the horizon and end no later than the cutoff. One yes and one no are added
 * (Laplace's rule), so that an event that never happened does not get a probability of 0.
 *
 * @param past the values up to the cutoff, oldest first, all above 0
 * @param change the change in percent
 */
export function computeBaseRate(past: ArrayLike<number>, horizon: number, change: number): number {
  const windows = Math.max(0, past.length - horizon);
  const factor = 1 + change / 100;
  let above = 0;
  for (let start = 0; start < windows; start++) {
    if ((past[start + horizon] as number) > (past[start] as number) * factor) above++;
  }
  return (above + 1) / (windows + 2);
}
