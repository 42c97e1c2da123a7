// Entry point of the thread that runs Prophet's Stan program. The calling thread blocks until a search has its answer.

import { readlinkSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { ProphetRuntime } from '../engine/index.ts';
import { STATE, type StanAnswer, type StanSearch } from './stan-messages.ts';

/** The part of the WASI shim that is used here; its own types omit the functions that replace a stream. */
interface ShimCli {
  _setStdout(handler: object): void;
  _setStderr(handler: object): void;
}
const SHIM = '@bytecodealliance/preview2-shim/';

const port = (workerData as { port: MessagePort }).port;
const threadId = readThreadId();
// If the program cannot be loaded, every search fails. An unhandled rejection would leave the caller blocked.
const program = await loadStanProgram().catch((error: unknown): ProphetRuntime => {
  return {
    optimize: () => {
      throw error;
    },
  };
});

port.on('message', ({ arguments: parameters, state }: StanSearch) => {
  const before = process.threadCpuUsage();
  Atomics.store(state, STATE.cpuBeforeMs, Math.round((before.user + before.system) / 1000));
  Atomics.store(state, STATE.threadId, threadId);
  let answer: { result: ReturnType<typeof program.optimize> } | { failure: string; isBroken: boolean };
  try {
    answer = { result: program.optimize(...parameters) };
  } catch (error) {
    // A trap leaves the program's memory in an undefined state.
    const isBroken = error instanceof Error && error.name === 'RuntimeError';
    answer = { failure: error instanceof Error ? error.message : String(error), isBroken };
  }
  const { user, system } = process.threadCpuUsage(before);
  port.postMessage({ ...answer, cpuMs: (user + system) / 1000 } satisfies StanAnswer);
  Atomics.store(state, STATE.done, 1);
  Atomics.notify(state, STATE.done);
});

/**
 * Returns the kernel's id of this thread; 0 if there is no /proc. Without the id, CPU time cannot be read and no search
 * is ended.
 */
function readThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * Loads Prophet's Stan program from WASM on disk. The program prints a line for each failed search ("optimization
 * failed: 70"). The failure is thrown as well and the model starts another search, so the program's output is
 * discarded. The streams of the process are not changed.
 */
async function loadStanProgram(): Promise<ProphetRuntime> {
  useShimWithoutFiles();
  const cli = (await import('@bytecodealliance/preview2-shim/cli')) as unknown as ShimCli;
  const discard = { write: () => {} };
  cli._setStdout(discard);
  cli._setStderr(discard);
  const { optimizer } = await import('@bsull/augurs-prophet-wasmstan');
  return optimizer as unknown as ProphetRuntime;
}

/**
 * Makes this thread load the WASI shim's build for browsers. The build for Node starts another thread for files and
 * sockets, which the program does not use; that thread takes longer to start than the program.
 */
function useShimWithoutFiles(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (!specifier.startsWith(SHIM)) return next(specifier, context);
      return next(specifier, { ...context, conditions: context.conditions.filter((name) => name !== 'node') });
    },
  });
}
