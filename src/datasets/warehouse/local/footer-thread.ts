import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { parquetMetadata } from 'hyparquet';
import { checkThrift, ThriftError } from './check-thrift.ts';
import { FooterError, type FooterProblem, type FooterSummary, summarizeFooter } from './footer-summary.ts';
import { RAW_PARSERS } from './parquet-types.ts';
import type { FileVersion } from './version-cache.ts';

export type FooterReply =
  | { readonly id: number; readonly summary: FooterSummary }
  | { readonly id: number; readonly problem: FooterProblem };

export type FooterRequest = FileVersion & { readonly id: number };

const MAGIC = Buffer.from('PAR1');
/** The length of the footer and the magic. */
const TAIL_BYTES = 8;
const MAX_FOOTER_BYTES = 64 * 1024 ** 2;
/** Bounds the memory of the parser, which needs about 110 bytes for a value: a column chunk has about 20 values. */
const MAX_VALUES = 4_000_000;

parentPort?.on('message', ({ id, ...file }: FooterRequest) => {
  const send = (reply: FooterReply): void => parentPort?.postMessage(reply);
  try {
    send({ id, summary: readFooter(file) });
  } catch (error) {
    send({ id, problem: findProblem(error) });
  }
});

/** Returns the problem of a file. The parser throws errors of any kind for hostile bytes. */
function findProblem(error: unknown): FooterProblem {
  if (error instanceof FooterError) return error.problem;
  if (error instanceof ThriftError && error.isTooLarge) return 'too-large';
  if (!(error instanceof Error) || !('syscall' in error && 'code' in error)) return 'unreadable';
  // ELOOP: a symbolic link has replaced the file.
  return error.code === 'ENOENT' || error.code === 'ELOOP' ? 'changed' : 'inaccessible';
}

function readFooter(file: FileVersion): FooterSummary {
  // A special file that has replaced the file would otherwise block the thread.
  const handle = openSync(file.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle, { bigint: true });
    if (!stats.isFile() || stats.ino !== file.inode || stats.mtimeNs !== file.modifiedNs)
      throw new FooterError('changed');
    if (Number(stats.size) !== file.size) throw new FooterError('changed');
    const tail = readBytes(handle, file.size - TAIL_BYTES, TAIL_BYTES);
    if (!tail.subarray(4).equals(MAGIC)) throw new FooterError('unreadable');
    const length = tail.readUInt32LE(0);
    if (length > MAX_FOOTER_BYTES) throw new FooterError('too-large');
    const footer = readBytes(handle, file.size - TAIL_BYTES - length, length + TAIL_BYTES);
    checkThrift(footer.subarray(0, length), MAX_VALUES);
    const metadata = parquetMetadata(footer, { parsers: RAW_PARSERS, geoparquet: false });
    return summarizeFooter(metadata, length + TAIL_BYTES, file.size);
  } finally {
    closeSync(handle);
  }
}

function readBytes(handle: number, start: number, length: number): Buffer {
  if (start < 0) throw new FooterError('unreadable');
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(handle, bytes, filled, length - filled, start + filled);
    if (count === 0) throw new FooterError('changed');
    filled += count;
  }
  return bytes;
}
