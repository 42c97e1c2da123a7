import type { FitOutcome, FitTask } from '../engine/index.ts';
import type { FitTime } from './fit-times.ts';

/** What a thread is asked to do. */
export interface ThreadRequest {
  readonly task: FitTask;
  /** One number in shared memory: not 0 once nobody waits for the task any more. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** What it answers: outcomes, or null after it was stopped. */
export interface ThreadAnswer {
  readonly outcomes: readonly FitOutcome[] | null;
  readonly time: FitTime;
}

/** What it says once, when it has loaded every model. */
export interface ThreadReady {
  readonly models: readonly string[];
}
