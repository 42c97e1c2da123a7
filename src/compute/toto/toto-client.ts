import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type FitOutcome, type FitTask, ForecastError } from '../../engine/index.ts';
import type { CheckpointFolders } from '../checkpoints/checkpoint.ts';
import type { EngineBundle } from '../engines/engine-bundles.ts';
import type { TimedRunner } from '../fit-threads.ts';
import { type FitTime, YOUNG_GENERATION_MB } from '../thread-messages.ts';

/** The data that Toto's thread is started with. */
export interface TotoThreadData {
  readonly folders: CheckpointFolders;
  /** The port on which tasks arrive. */
  readonly port: MessagePort;
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

/** Sends tasks to Toto's thread. */
export class TotoClient {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, (answer: TotoAnswer) => void>();
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (answer: TotoAnswer) => {
      const accept = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      accept?.(answer);
    });
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
      this.#port.postMessage({ id, checkpoint, task, stop } satisfies TotoTask);
    });
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

/**
 * Longer than it takes to load a checkpoint or to finish a run, and short enough to leave time for the other steps of a
 * shutdown.
 */
const CLOSE_TIMEOUT_MS = 3_000;

export interface TotoThread {
  /** The port to which tasks are sent. They wait there until the thread has started. */
  readonly port: MessagePort;
  /** Starts the thread, unless it has already been started. */
  start(): void;
  /** Sends the thread a request to end itself. Resolves when it has ended, or after a few seconds. */
  close(): Promise<void>;
}

/**
 * Prepares Toto's thread. The thread loads the runtime and a checkpoint when the first task needs them.
 *
 * @param onStart gets the thread when it starts
 * @param bundle the engine that builds and runs the network; by default the one in the sources
 */
export function prepareTotoThread(
  folders: CheckpointFolders,
  onStart: (worker: Worker) => void,
  bundle?: EngineBundle,
): TotoThread {
  const { port1, port2 } = new MessageChannel();
  let worker: Worker | undefined;
  let closed: Promise<boolean> | undefined;
  return {
    port: port1,
    start: () => {
      if (worker !== undefined || closed !== undefined) return;
      worker = new Worker(new URL('./toto-thread.ts', import.meta.url), {
        workerData: { folders, port: port2, bundle } satisfies TotoThreadData,
        transferList: [port2],
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      });
      onStart(worker);
    },
    close: async () => {
      closed ??= worker === undefined ? Promise.resolve(true) : endThread(worker, CLOSE_TIMEOUT_MS);
      await closed;
    },
  };
}

/** The `threadId` of a worker that has ended. */
const NO_THREAD = -1;

/**
 * Sends a thread a request to end itself and waits at most `timeoutMs`. A thread that does not end in time is left
 * running until it can end itself, because ending it from outside could end the process.
 *
 * @returns whether the thread has ended
 */
export async function endThread(worker: Worker, timeoutMs: number): Promise<boolean> {
  if (worker.threadId === NO_THREAD) return true;
  const decided = new AbortController();
  const { signal } = decided;
  // A thread that threw an error has ended as well.
  const exit = once(worker, 'exit', { signal }).catch(() => undefined);
  worker.postMessage('end');
  const hasEnded = await Promise.race([exit.then(() => true), sleep(timeoutMs, false, { signal }).catch(() => false)]);
  decided.abort();
  return hasEnded;
}
