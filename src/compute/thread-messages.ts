import type { FitOutcome, FitTask } from '../engine/index.ts';
import type { EngineBundle } from './engines/engine-bundles.ts';

/**
 * Size of the young generation in the heap of each thread. Fits allocate only short-lived values, so a small one is
 * enough. The default is several times as large; with a handful of threads it would take a third of the memory of the
 * process.
 */
export const YOUNG_GENERATION_MB = 4;

/** The data that a fit thread is started with. */
export interface FitThreadData {
  readonly bundle: EngineBundle | undefined;
}

/** A message to a fit thread. */
export interface FitThreadRequest {
  readonly task: FitTask;
  /** One number in shared memory; it is not 0 after the task has been aborted. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** The answer of a fit thread: outcomes, or null after an abort. */
export interface FitThreadAnswer {
  readonly outcomes: readonly FitOutcome[] | null;
  readonly time: FitTime;
}

/** Sent once by a fit thread, when every model is loaded. */
export interface FitThreadReady {
  readonly models: readonly string[];
  /** The models whose fits to one series must run in order. */
  readonly sequentialModels: readonly string[];
}

/** When a fit started and how long it took. */
export interface FitTime {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  /** The number of Prophet searches that the guard ended; omitted if there were none. */
  readonly endedSearches?: number;
}
