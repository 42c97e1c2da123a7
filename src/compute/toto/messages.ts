import type { MessagePort } from 'node:worker_threads';
import type { FitOutcome, FitTask } from '../../engine/index.ts';
import type { CheckpointFolders } from '../checkpoints/folders.ts';
import type { FitTime } from '../fit-times.ts';

/** What the thread is started with. */
export interface TotoThreadData {
  readonly folders: CheckpointFolders;
  /** Where tasks come from. */
  readonly port: MessagePort;
}

/** A task, and which checkpoint must carry it out. */
export interface TotoRequest {
  readonly id: number;
  readonly checkpoint: string;
  readonly task: FitTask;
  /** One number in shared memory: not 0 once nobody waits for the task any more. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** Why a checkpoint cannot be used. */
export interface Unavailable {
  /** For whoever asked. */
  readonly reason: string;
  /** For the log. */
  readonly detail: string;
}

/** Outcomes; or null after it was stopped; or why the checkpoint cannot be used. `time` is that of the model alone. */
export type TotoAnswer =
  | { readonly id: number; readonly outcomes: readonly FitOutcome[] | null; readonly time?: FitTime }
  | { readonly id: number; readonly unavailable: Unavailable };
