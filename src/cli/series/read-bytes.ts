import { createReadStream } from 'node:fs';
import { MAX_CSV_BYTES } from '../../contract/index.ts';
import type { Terminal } from '../command.ts';
import { CommandFailure } from '../exit-codes.ts';
import { inputTooLarge, inputUnreadable } from '../failures.ts';

interface ReadOptions {
  readonly stdin: Terminal['stdin'];
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/** Yields the bytes of a file or of standard input, at most as many as an upload can have. */
export async function* readBytes(
  { path, name }: { readonly path: string | null; readonly name: string },
  { stdin, signal, note }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  if (path === null && stdin.isTTY) note('Reading rows from standard input. End them with Ctrl-D.');
  let count = 0;
  try {
    for await (const bytes of untilAborted(path === null ? stdin : createReadStream(path), signal)) {
      count += bytes.length;
      if (count > MAX_CSV_BYTES) throw inputTooLarge(name, `${MAX_CSV_BYTES / 1024 ** 2} MiB`);
      yield bytes;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Faults of the reader come through here as well, because it pulls the bytes.
    if (error instanceof CommandFailure || signal.aborted || code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw inputUnreadable(name, code);
  }
}

/** A pipe that never ends would otherwise keep the command from ending on Ctrl-C. */
async function* untilAborted(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  aborted.promise.catch(() => {});
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A waiting read can only be ended from outside, so its end is not awaited.
    if (signal.aborted) (source as { destroy?(): void }).destroy?.();
    else await iterator.return?.();
  }
}
