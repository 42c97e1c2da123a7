import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { CheckpointFolders } from '../checkpoints/folders.ts';
import { NURSERY_MB } from '../thread-memory.ts';
import { endThread } from './end-thread.ts';
import type { TotoThreadData } from './messages.ts';

/** Longer than a run or a load takes, and short enough for the rest of a stop to be done in its time. */
const PATIENCE_MS = 3_000;

export interface TotoThread {
  readonly worker: Worker;
  /** Where tasks are sent. */
  readonly port: MessagePort;
  /** Lets the thread end itself; resolves when it has, or does not within some seconds. */
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
  let closed: Promise<boolean> | undefined;
  return {
    worker,
    port: port1,
    close: async () => {
      closed ??= endThread(worker, PATIENCE_MS);
      await closed;
    },
  };
}
