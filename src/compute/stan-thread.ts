// The start of the thread in which Prophet's Stan program searches. Whoever asked sleeps until it is told.

import { type MessagePort, workerData } from 'node:worker_threads';
import type { StanAnswer, StanSearch } from './stan-messages.ts';
import { loadStanProgram } from './stan-program.ts';

const port = (workerData as { port: MessagePort }).port;
const program = await loadStanProgram();

port.on('message', ({ arguments: given, done }: StanSearch) => {
  const before = process.threadCpuUsage();
  let answer: { result: ReturnType<typeof program.optimize> } | { failure: string; isBroken: boolean };
  try {
    answer = { result: program.optimize(...given) };
  } catch (error) {
    // After a trap the program's memory is in no state to go on with.
    const isBroken = error instanceof Error && error.name === 'RuntimeError';
    answer = { failure: error instanceof Error ? error.message : String(error), isBroken };
  }
  const { user, system } = process.threadCpuUsage(before);
  port.postMessage({ ...answer, cpuMs: (user + system) / 1000 } satisfies StanAnswer);
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});
