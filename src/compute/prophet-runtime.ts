import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ProphetRuntime } from '../engine/index.ts';
import type { StanAnswer, StanSearch } from './stan-messages.ts';
import { NURSERY_MB } from './thread-memory.ts';

/** Prophet's Stan program in a thread of its own, which is ended when a search does not end. */
export interface GuardedProphetRuntime extends ProphetRuntime {
  /** CPU time of all searches so far: it is spent in another thread, where the caller's own count does not see it. */
  cpuMs(): number;
}

/**
 * A search of a short series takes some ten milliseconds, of the longest well below a second. Now and then one
 * never ends: the line search is caught at a kink of the prior by steps so long that halving them no longer
 * changes them. The limit is a hundred times what a search takes, so that a busy machine does not decide what is given up.
 */
const NEVER_ENDS_MS = 3000;
const LONGER_PER_CHARACTER_MS = 0.02;

interface StanThread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

/** Starts on first use. The caller's thread waits for each search; a failed, trapped or endless one throws. */
export function loadProphetRuntime(limitMs: number = NEVER_ENDS_MS): GuardedProphetRuntime {
  let thread: StanThread | null = null;
  let spent = 0;
  return {
    cpuMs: () => spent,
    optimize: (...given) => {
      thread ??= startThread();
      const done = new Int32Array(new SharedArrayBuffer(4));
      thread.port.postMessage({ arguments: given, done } satisfies StanSearch);
      const patience = limitMs + given[1].length * LONGER_PER_CHARACTER_MS;
      const hasEnded = Atomics.wait(done, 0, 0, patience) !== 'timed-out';
      const answer: StanAnswer = hasEnded
        ? (receiveMessageOnPort(thread.port)?.message as StanAnswer)
        : { failure: 'The search did not end.', isBroken: true, cpuMs: patience };
      spent += answer.cpuMs;
      if ('result' in answer) return answer.result;
      if (answer.isBroken) {
        void thread.worker.terminate();
        thread = null;
      }
      throw new Error(answer.failure);
    },
  };
}

function startThread(): StanThread {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./stan-thread.ts', import.meta.url), {
    workerData: { port: port2 },
    transferList: [port2],
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  });
  // Neither keeps a process alive that has nothing else to do.
  worker.unref();
  port1.unref();
  return { worker, port: port1 };
}
