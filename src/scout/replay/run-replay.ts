import type { Engine } from '../../compute/index.ts';
import type { History } from './history.ts';
import { type ReplayedForecast, type ReplaySettings, replayForecast } from './replay-forecast.ts';

export interface ReplayProgress {
  readonly done: number;
  readonly total: number;
  /** The one done last. */
  readonly forecast: ReplayedForecast;
}

export interface ReplayOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
}

/** One is being pooled while the other is being fitted. */
const AT_ONCE = 2;

/** Forecasts every horizon from every cut-off. They come back in that order, whichever was done first. */
export async function runReplay(
  engine: Engine,
  history: History,
  cutoffs: readonly number[],
  settings: ReplaySettings,
  { signal, onProgress }: ReplayOptions = {},
): Promise<ReplayedForecast[]> {
  const wanted = cutoffs.flatMap((cut) => settings.horizons.map((horizon) => ({ cut, horizon })));
  // A failure of one ends the other, too.
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const replayed: ReplayedForecast[] = [];
  const waiting = wanted.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [i, one] of waiting) {
      const forecast = await replayForecast(engine, history, one, settings, stop);
      replayed[i] = forecast;
      onProgress?.({ done: ++done, total: wanted.length, forecast });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return replayed;
}
