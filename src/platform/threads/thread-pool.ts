import { Worker } from 'node:worker_threads';
import { faultOfThread, threadLost } from '../faults.ts';
import type { ThreadCommand, ThreadFailure, ThreadReply } from './thread-messages.ts';

/** The largest heap of a thread. A thread that exceeds it ends, and only its own calls fail. */
const MAX_HEAP_MB = 512;

/** A thread without a session ends after this time, so that a quiet process does not hold its memory. */
const IDLE_MS = 30_000;

interface PoolOptions {
  readonly maxThreads: number;
  /** Called when a thread ends unexpectedly. */
  readonly onLost?: (error: Error) => void;
}

interface PendingCall {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** The unanswered calls of each session, oldest first. */
  readonly sessions: Map<number, PendingCall[]>;
  pending: number;
  idle: NodeJS.Timeout | null;
}

/** Work in another thread that consists of several calls with a state between them. */
export interface ThreadSession<Input, Output> {
  /** @param buffers move to the thread and can no longer be used here */
  call(input: Input, buffers?: readonly ArrayBuffer[]): Promise<Output>;
  close(): void;
}

/**
 * Runs a script in a few threads, which are started when they are needed. A thread that dies fails its own calls with a
 * fault; the next session gets a new thread.
 */
export class ThreadPool<Options, Input, Output> {
  readonly #script: URL;
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  #nextSession = 1;
  #isClosed = false;

  constructor(script: URL, options: PoolOptions) {
    this.#script = script;
    this.#options = options;
  }

  /** The ids of the running threads. */
  get threadIds(): number[] {
    return [...this.#threads].map(({ worker }) => worker.threadId);
  }

  open(options: Options): ThreadSession<Input, Output> {
    if (this.#isClosed) throw threadLost();
    const thread = this.#chooseThread();
    const session = this.#nextSession++;
    const calls: PendingCall[] = [];
    thread.sessions.set(session, calls);
    const post = (command: ThreadCommand, buffers: readonly ArrayBuffer[] = []): void =>
      thread.worker.postMessage(command, [...buffers]);
    post({ kind: 'open', session, options });
    return {
      call: (input, buffers) =>
        new Promise<Output>((resolve, reject) => {
          if (!this.#threads.has(thread)) return reject(threadLost());
          calls.push({ resolve: resolve as PendingCall['resolve'], reject });
          // An idle thread does not keep the process alive; one with a call does.
          if (thread.pending++ === 0) thread.worker.ref();
          post({ kind: 'call', session, input }, buffers);
        }),
      close: () => {
        if (!thread.sessions.delete(session) || !this.#threads.has(thread)) return;
        post({ kind: 'close', session });
        if (thread.sessions.size === 0) this.#endWhenIdle(thread);
      },
    };
  }

  /** Opens a session for a single call. */
  async run(options: Options, input: Input, buffers?: readonly ArrayBuffer[]): Promise<Output> {
    const session = this.open(options);
    try {
      return await session.call(input, buffers);
    } finally {
      session.close();
    }
  }

  /** Ends all threads. Calls that are still running fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.endThreads();
  }

  /** Ends the threads that are running now. Their calls fail, and the next session starts another thread. */
  async endThreads(): Promise<void> {
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  /** Returns the thread with the fewest sessions, or a new one if all have some. */
  #chooseThread(): Thread {
    const [least] = [...this.#threads].sort((one, other) => one.sessions.size - other.sessions.size);
    const mayStart = this.#threads.size < this.#options.maxThreads;
    const thread = least === undefined || (least.sessions.size > 0 && mayStart) ? this.#startThread() : least;
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    return thread;
  }

  #startThread(): Thread {
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    const thread: Thread = { worker, sessions: new Map(), pending: 0, idle: null };
    this.#threads.add(thread);
    worker.unref();
    worker.on('message', ({ session, output, failure }: ThreadReply) => {
      if (--thread.pending === 0) worker.unref();
      const call = thread.sessions.get(session)?.shift();
      if (failure === undefined) call?.resolve(output);
      else call?.reject(fromFailure(failure));
    });
    worker.on('error', (error) => this.#lose(thread, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#lose(thread, new Error(`The thread ended with the code ${code}.`)));
    return thread;
  }

  #lose(thread: Thread, error: Error): void {
    if (!this.#threads.delete(thread)) return;
    if (thread.idle !== null) clearTimeout(thread.idle);
    if (!this.#isClosed) this.#options.onLost?.(error);
    for (const calls of thread.sessions.values()) for (const { reject } of calls) reject(threadLost());
    thread.sessions.clear();
  }

  #endWhenIdle(thread: Thread): void {
    thread.idle = setTimeout(() => {
      this.#threads.delete(thread);
      void thread.worker.terminate();
    }, IDLE_MS).unref();
  }
}

function fromFailure(failure: ThreadFailure): Error {
  return 'error' in failure ? failure.error : faultOfThread(failure.code, failure.message, failure.details);
}
