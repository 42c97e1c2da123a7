import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';
import { withinTime } from './within-time.ts';

/** Longer than a disk takes for a checkpoint: whoever waits longer waits for something that does not come. */
export const MAX_READING_MS = 30_000;

const PIECE_BYTES = 1 << 20;

export interface PlainFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/**
 * Reads a file whole and hashes it, piece by piece, so that the thread can do other things in between. It must be a
 * plain one: a pipe or a device may keep its reader waiting for ever.
 *
 * @param checkSize throws if the file is too long, before any of it is read
 */
export function readPlainFile(path: string, checkSize: (size: number) => void): Promise<PlainFile> {
  return withinTime(MAX_READING_MS, (signal) => read(path, checkSize, signal));
}

async function read(path: string, checkSize: (size: number) => void, signal: AbortSignal): Promise<PlainFile> {
  // Otherwise a pipe would not even be opened before somebody writes into it.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stat = await file.stat();
  if (!stat.isFile()) throw new Error('it is not a plain file');
  checkSize(stat.size);
  const bytes = Buffer.allocUnsafeSlow(stat.size);
  const hash = createHash('sha256');
  for (let filled = 0; filled < bytes.length; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(bytes, filled, Math.min(PIECE_BYTES, bytes.length - filled));
    if (bytesRead === 0) throw new Error('it became shorter while it was read');
    hash.update(bytes.subarray(filled, filled + bytesRead));
    filled += bytesRead;
  }
  return { bytes, sha256: hash.digest('hex') };
}
