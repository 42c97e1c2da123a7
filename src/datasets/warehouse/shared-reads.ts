import { waitUnlessAborted } from '../../platform/index.ts';
import type { RawRows } from './engine.ts';

/** Lets concurrent identical reads wait for one. */
export interface SharedReads {
  /**
   * Waits for the running read with a key, or starts it. A caller that aborts does not end it for the others; its own
   * signal aborts when no caller waits for it. Each caller gets its own copy of the rows.
   */
  join(key: string, signal: AbortSignal | undefined, start: StartRead): Promise<RawRows>;
}

type StartRead = (signal: AbortSignal) => Promise<RawRows>;

interface RunningRead {
  readonly rows: Promise<RawRows>;
  readonly end: AbortController;
  waiting: number;
}

export function createSharedReads(): SharedReads {
  const running = new Map<string, RunningRead>();

  function startRead(key: string, start: StartRead): RunningRead {
    const end = new AbortController();
    const read = { rows: start(end.signal), end, waiting: 0 };
    running.set(key, read);
    const remove = () => {
      if (running.get(key) === read) running.delete(key);
    };
    // A read that no caller waits for must not be joined.
    end.signal.addEventListener('abort', remove, { once: true });
    read.rows.then(remove, remove);
    return read;
  }

  return {
    async join(key, signal, start) {
      signal?.throwIfAborted();
      const read = running.get(key) ?? startRead(key, start);
      read.waiting++;
      try {
        const { times, values } = await waitUnlessAborted(read.rows, signal);
        return { times: times.slice(), values: values.slice() };
      } finally {
        read.waiting--;
        if (read.waiting === 0) read.end.abort(signal?.reason);
      }
    },
  };
}
