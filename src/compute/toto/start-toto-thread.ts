import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { CheckpointFolders } from '../checkpoints/index.ts';
import { NURSERY_MB } from '../thread-memory.ts';
import type { TotoThreadData } from './messages.ts';

export interface TotoThread {
  readonly worker: Worker;
  /** Where tasks are sent. */
  readonly port: MessagePort;
  /** Lets the thread end itself; resolves when it has. */
  close(): Promise<void>;
}

/** Starts the thread in which Toto runs. It loads the runtime and a checkpoint with the first task that needs one. */
export function startTotoThread(folders: CheckpointFolders): TotoThread {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./toto-thread.ts', import.meta.url), {
    workerData: { folders, port: port2 } satisfies TotoThreadData,
    transferList: [port2],
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  });
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const exit = once(worker, 'exit');
    worker.postMessage('end');
    await exit;
  };
  return {
    worker,
    port: port1,
    close: () => {
      closed ??= end();
      return closed;
    },
  };
}
