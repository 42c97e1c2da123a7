import type { Engine, ForecastOptions } from '../../compute/index.ts';
import { changed } from '../from-forecast/choose-questions.ts';
import { type ReadProbability, readProbability } from '../from-forecast/read-probability.ts';
import { decideOutcome } from '../rules/decide-outcome.ts';
import { baseRate } from './base-rate.ts';
import type { History } from './history.ts';

export interface ReplaySettings {
  /** In rows after the cut-off. Each has a forecast of its own. */
  readonly horizons: readonly number[];
  /** In percent of the last value before the cut-off. */
  readonly changes: readonly number[];
  /** Rows before the cut-off that the ensemble sees; base rates see all. */
  readonly rows: number;
  readonly models: readonly string[];
  readonly checkpoints: NonNullable<ForecastOptions['checkpoints']>;
}

/** A question of the past with what was said then and what came. */
export interface ReplayedQuestion extends ReadProbability {
  /** The time of the last row before it. */
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
  /** Models that took no part. */
  readonly leftOut: readonly string[];
}

/**
 * Asks and answers the questions of one cut-off and horizon: a forecast of the ensemble from the rows before,
 * probabilities read as for every question from a forecast, outcomes decided as by every rule.
 *
 * The forecast ends at the horizon because the engine sets its spread by errors as many steps ahead as it is asked for.
 */
export async function replayForecast(
  engine: Engine,
  { cadence, timestamps, values }: History,
  { cut, horizon }: { readonly cut: number; readonly horizon: number },
  { changes, rows, models, checkpoints }: ReplaySettings,
  signal?: AbortSignal,
): Promise<ReplayedForecast> {
  const from = Math.max(0, cut - rows);
  const seen = { timestamps: timestamps.slice(from, cut), values: values.slice(from, cut) };
  const { predictions, members } = await engine.forecast(
    { cadence, ...seen, horizon, models },
    { checkpoints, signal },
  );
  const past = values.subarray(0, cut);
  const [last, then] = [values[cut - 1], values[cut - 1 + horizon]] as [number, number];
  const cutoff = isoTime(timestamps[cut - 1]);
  const observed = { timestamp: isoTime(timestamps[cut - 1 + horizon]), value: then };
  const questions = changes.map((change) => {
    const threshold = changed(last, change);
    return {
      cutoff,
      horizon,
      change,
      threshold,
      observed,
      ...readProbability(predictions[horizon - 1]?.quantiles ?? {}, 'gt', threshold, {
        values: seen.values,
        steps: horizon,
      }),
      base_rate: baseRate(past, horizon, change),
      happened: decideOutcome({ op: 'gt', threshold }, then) === 'yes',
    };
  });
  const leftOut = members.filter(({ status }) => status !== 'completed').map(({ model }) => model);
  return { cutoff, horizon, questions, leftOut };
}

function isoTime(time = Number.NaN): string {
  return new Date(time).toISOString();
}
