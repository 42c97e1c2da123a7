import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';

/** Longer than a disk needs to read a checkpoint. A read that takes longer is assumed not to end. */
export const READ_TIMEOUT_MS = 30_000;

const CHUNK_BYTES = 1 << 20;

export interface PlainFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/**
 * Reads and hashes a whole file in chunks, so that the thread can do other work in between. Refuses anything but a
 * plain file: a pipe or a device could block its reader forever.
 *
 * @param checkSize throws if the file is too long, before any of it is read
 */
export function readPlainFile(path: string, checkSize: (size: number) => void): Promise<PlainFile> {
  return withTimeout(READ_TIMEOUT_MS, (signal) => read(path, checkSize, signal));
}

async function read(path: string, checkSize: (size: number) => void, signal: AbortSignal): Promise<PlainFile> {
  // Without O_NONBLOCK, opening a pipe would block until a writer opens it.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stat = await file.stat();
  if (!stat.isFile()) throw new Error('it is not a plain file');
  checkSize(stat.size);
  const bytes = Buffer.allocUnsafeSlow(stat.size);
  const hash = createHash('sha256');
  for (let filled = 0; filled < bytes.length; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(bytes, filled, Math.min(CHUNK_BYTES, bytes.length - filled));
    if (bytesRead === 0) throw new Error('it became shorter while it was read');
    hash.update(bytes.subarray(filled, filled + bytesRead));
    filled += bytesRead;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Runs work with a time limit. Rejects when the time is over, even if the work does not end: a read from a dead disk
 * cannot be stopped, only abandoned. The signal stops work that can be stopped.
 */
export async function withTimeout<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`it took longer than ${limitMs / 1000} seconds`);
    stop.abort(error);
    reject(error);
  }, limitMs);
  try {
    return await Promise.race([work(stop.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
