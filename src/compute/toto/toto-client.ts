import type { MessagePort } from 'node:worker_threads';
import { type FitOutcome, type FitTask, ForecastError } from '../../engine/index.ts';
import type { FitTime } from '../fit-times.ts';
import type { TotoAnswer, TotoRequest, Unavailable } from './messages.ts';

interface Waiting {
  settle(answer: TotoAnswer): void;
}

/** Sends tasks to Toto's thread. */
export class TotoClient {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (answer: TotoAnswer) => {
      const one = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      one?.settle(answer);
    });
  }

  /** Rejects with the signal's reason at once when it aborts; the thread lets go of the task between two runs. */
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
        this.#waiting.delete(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.set(id, {
        settle: (answer) => {
          signal?.removeEventListener('abort', abort);
          if ('unavailable' in answer) return reject(checkpointUnavailable(checkpoint, answer.unavailable));
          if (answer.time !== undefined) onFit?.(answer.time);
          if (answer.outcomes !== null) resolve(answer.outcomes);
        },
      });
      this.#port.postMessage({ id, checkpoint, task, stop } satisfies TotoRequest);
    });
  }
}

function checkpointUnavailable(checkpoint: string, { reason, detail }: Unavailable): ForecastError {
  const message = `The checkpoint ${checkpoint} of toto cannot be used: ${reason}.`;
  return new ForecastError('CHECKPOINT_UNAVAILABLE', message, null, { cause: detail });
}
