import type { Engine } from '../../compute/index.ts';
import type { ReplayHistory } from './history.ts';
import { type ReplayedForecast, type ReplaySettings, replayForecast } from './replay-forecast.ts';

export interface ReplayProgress {
  readonly done: number;
  readonly total: number;
  /** The latest completed forecast. */
  readonly forecast: ReplayedForecast;
}

export interface ReplayOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
}

/** With two forecasts at a time, the models of one are fitted while the other is pooled. */
const CONCURRENT_FORECASTS = 2;

/** Forecasts every horizon from every cutoff. Returns the forecasts in that order, whichever completed first. */
export async function runReplay(
  engine: Engine,
  history: ReplayHistory,
  cutoffs: readonly number[],
  settings: ReplaySettings,
  { signal, onProgress }: ReplayOptions = {},
): Promise<ReplayedForecast[]> {
  const requests = cutoffs.flatMap((cutoff) => settings.horizons.map((horizon) => ({ cutoff, horizon })));
  // A forecast that fails also aborts the one that runs at the same time.
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const replayed: ReplayedForecast[] = [];
  const remaining = requests.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [i, request] of remaining) {
      const forecast = await replayForecast(engine, history, request, settings, stop);
      replayed[i] = forecast;
      onProgress?.({ done: ++done, total: requests.length, forecast });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_FORECASTS }, work));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return replayed;
}
