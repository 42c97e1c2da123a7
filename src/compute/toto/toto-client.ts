import { Worker } from 'node:worker_threads';
import { type FitOutcome, type FitTask, ForecastError } from '../../engine/index.ts';
import type { CheckpointFolders } from '../checkpoints/checkpoint.ts';
import type { EngineBundle } from '../engines/engine-bundles.ts';
import type { TimedRunner } from '../fit-threads.ts';
import { type FitTime, YOUNG_GENERATION_MB } from '../thread-messages.ts';

/** The data that Toto's thread is started with. */
export interface TotoThreadData {
  readonly folders: CheckpointFolders;
  /** The engine that builds and runs the network; undefined for the one in the sources. */
  readonly bundle: EngineBundle | undefined;
}

/** A task, with the id of the checkpoint that must run it. */
export interface TotoTask {
  readonly id: number;
  readonly checkpoint: string;
  readonly task: FitTask;
  /** One number in shared memory; not 0 once the task has been aborted. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** The reason why a checkpoint cannot be used. */
export interface UnavailableCheckpoint {
  /** For the caller. */
  readonly reason: string;
  /** For the log. */
  readonly detail: string;
}

/**
 * The outcomes, null after an abort, or the reason why the checkpoint cannot be used. `time` does not include loading
 * the model.
 */
export type TotoAnswer =
  | { readonly id: number; readonly outcomes: readonly FitOutcome[] | null; readonly time?: FitTime }
  | { readonly id: number; readonly unavailable: UnavailableCheckpoint };

/** Toto's thread. It starts with the first task, and then loads the runtime and the checkpoint of that task. */
export class TotoClient {
  readonly #data: TotoThreadData;
  readonly #pending = new Map<number, (answer: TotoAnswer) => void>();
  #thread: Worker | undefined;
  #lastId = 0;

  /** @param bundle the engine that builds and runs the network; by default the one in the sources */
  constructor(folders: CheckpointFolders, bundle?: EngineBundle) {
    this.#data = { folders, bundle };
  }

  /**
   * Runs a task. An abort rejects the promise immediately with the signal's reason; the thread drops the task after its
   * current run.
   */
  run(
    task: FitTask,
    checkpoint: string,
    signal: AbortSignal | undefined,
    onFit?: (time: FitTime) => void,
  ): Promise<readonly FitOutcome[]> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = ++this.#lastId;
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const abort = (): void => {
        Atomics.store(stop, 0, 1);
        this.#pending.delete(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#pending.set(id, (answer) => {
        signal?.removeEventListener('abort', abort);
        if ('unavailable' in answer) return reject(checkpointUnavailable(checkpoint, answer.unavailable));
        if (answer.time !== undefined) onFit?.(answer.time);
        if (answer.outcomes !== null) resolve(answer.outcomes);
      });
      this.#started().postMessage({ id, checkpoint, task, stop } satisfies TotoTask);
    });
  }

  #started(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(new URL('./toto-thread.ts', import.meta.url), {
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    thread.on('message', (answer: TotoAnswer) => {
      const accept = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      accept?.(answer);
    });
    // Errors of models are answers, so a thread that ends has crashed. It ends the process, as its errors do.
    thread.on('exit', () => {
      throw new Error("Toto's thread has ended.");
    });
    this.#thread = thread;
    return thread;
  }
}

function checkpointUnavailable(checkpoint: string, { reason, detail }: UnavailableCheckpoint): ForecastError {
  const message = `The checkpoint ${checkpoint} of toto cannot be used: ${reason}.`;
  return new ForecastError('CHECKPOINT_UNAVAILABLE', message, null, { cause: detail });
}

/** Returns a runner that also runs Toto with the given checkpoint. */
export function withToto(runner: TimedRunner, toto: TotoClient, checkpoint: string): TimedRunner {
  return {
    models: [...runner.models, 'toto'],
    run: (task, signal, onFit) =>
      task.model === 'toto' ? toto.run(task, checkpoint, signal, onFit) : runner.run(task, signal, onFit),
  };
}
