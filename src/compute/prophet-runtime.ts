import { readFileSync } from 'node:fs';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ProphetRuntime } from '../engine/index.ts';
import { type SearchState, STATE, type StanAnswer, type StanSearch } from './stan-messages.ts';
import { YOUNG_GENERATION_MB } from './thread-messages.ts';

/** Prophet's Stan program in its own thread. A search that does not end is stopped by ending that thread. */
export interface GuardedProphetRuntime extends ProphetRuntime {
  /** Returns the CPU time of all searches so far, which the CPU time of the calling thread does not include. */
  cpuMs(): number;
  /** Returns the number of searches that the guard has ended so far. */
  endedSearches(): number;
}

/**
 * Returns the CPU time that a search may take, given the number of characters of its input. A search takes about ten
 * milliseconds for a short series and well below a second for the longest. A few searches never end: at a kink of the
 * prior, the line search takes steps so long that halving them no longer changes them. The limit is on the CPU time of
 * the Stan thread and not on wall time, because a busy machine must not end a search that an idle machine would finish:
 * that would change the digits of the result.
 */
const cpuBudgetMs = (characters: number): number => 3000 + 0.02 * characters;

/** Wall time between two readings of the thread's CPU time. */
const CHECK_EVERY_MS = 50;

interface StanThread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

/**
 * Returns Prophet's Stan program. Its thread starts when it is first used. The calling thread blocks during each
 * search. A search that fails, traps or exceeds its CPU time throws.
 */
export function loadProphetRuntime(budgetMsOf = cpuBudgetMs): GuardedProphetRuntime {
  let thread: StanThread | null = null;
  let spentMs = 0;
  let ended = 0;
  return {
    cpuMs: () => spentMs,
    endedSearches: () => ended,
    optimize: (...parameters) => {
      thread ??= startThread();
      const state: SearchState = new Int32Array(new SharedArrayBuffer(Object.keys(STATE).length * 4));
      thread.port.postMessage({ arguments: parameters, state } satisfies StanSearch);
      const budgetMs = budgetMsOf(parameters[1].length);
      const answer = waitForAnswer(thread.port, state, budgetMs);
      if (answer === null) ended++;
      const { cpuMs, ...outcome } = answer ?? { failure: 'The search did not end.', isBroken: true, cpuMs: budgetMs };
      spentMs += cpuMs;
      if ('result' in outcome) return outcome.result;
      if (outcome.isBroken) {
        void thread.worker.terminate();
        thread = null;
      }
      throw new Error(outcome.failure);
    },
  };
}

/**
 * Blocks until the search has an answer. Returns null if the search has used up its CPU time or its thread has ended.
 * The loop has no limit on wall time; the time limit of the forecast ends this thread as well.
 */
function waitForAnswer(port: MessagePort, state: SearchState, budgetMs: number): StanAnswer | null {
  while (Atomics.wait(state, STATE.done, 0, CHECK_EVERY_MS) === 'timed-out') {
    const threadId = Atomics.load(state, STATE.threadId);
    if (threadId === 0) continue;
    const cpuMs = readThreadCpuMs(threadId);
    if (Atomics.load(state, STATE.done) === 1) break;
    if (cpuMs === null || cpuMs - Atomics.load(state, STATE.cpuBeforeMs) > budgetMs) return null;
  }
  return receiveMessageOnPort(port)?.message as StanAnswer;
}

/** The kernel counts CPU time in hundredths of a second, on x64 and arm64 alike. */
const MS_PER_TICK = 10;

/** Reads the CPU time of a thread of this process. Returns null when the thread has ended. */
export function readThreadCpuMs(threadId: number): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'utf8');
    // The second field is the thread's name in parentheses and may itself contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

function startThread(): StanThread {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./stan-thread.ts', import.meta.url), {
    workerData: { port: port2 },
    transferList: [port2],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  // An idle Stan thread must not keep the process alive.
  worker.unref();
  port1.unref();
  return { worker, port: port1 };
}
