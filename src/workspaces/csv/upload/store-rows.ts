import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Fault } from '../../../contract/index.ts';
import type { Executor, ThreadSession } from '../../../platform/index.ts';
import { openFileSession } from '../csv-threads.ts';
import type { CsvContext } from '../find-csv-file.ts';
import type { DeclaredCsv } from '../reading/csv-reader.ts';
import { type DescribedCsv, FileReader, type ReadPart } from '../reading/file-reader.ts';
import { ChunkWriter } from '../row-chunks.ts';
import { findTimeColumn } from '../series/find-columns.ts';
import { readSeries } from '../series/read-series.ts';

/** The description of a file whose rows are stored. */
export interface StoredFile extends DescribedCsv {
  readonly bytes: number;
  readonly sha256: string;
}

/** Number of bytes that are read at a time, so that a large chunk does not block the event loop. */
const PIECE_BYTES = 64 * 1024;

/** A larger file is read in another thread. Reading a smaller one takes a few milliseconds. */
const MAX_BYTES_READ_HERE = 256 * 1024;

/** Reads a file as it arrives and stores its rows. Reading pauses while a chunk is being stored. */
export async function storeRows(
  context: Pick<CsvContext, 'database' | 'clock'>,
  fileId: string,
  body: AsyncIterable<Buffer>,
  declared: DeclaredCsv,
): Promise<StoredFile> {
  const digest = createHash('sha256');
  const writer = new ChunkWriter(context, fileId);
  let session: ThreadSession<Uint8Array<ArrayBuffer> | null, ReadPart> | null = null;
  let first: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for await (const piece of splitPieces(body)) {
      bytes += piece.length;
      digest.update(piece);
      if (session === null) first.push(piece);
      if (session === null && bytes <= MAX_BYTES_READ_HERE) continue;
      const isFirst = session === null;
      session ??= openFileSession(declared);
      for (const part of isFirst ? first : [piece]) await storeChunks(writer, await session.call(part, [part.buffer]));
      first = [];
    }
    const { file } = await (session === null
      ? readHere(writer, declared, first)
      : storeChunks(writer, await session.call(null)));
    if (file === null) throw new Error('The file was read without a description.');
    return { ...file, bytes, sha256: digest.digest('hex') };
  } finally {
    session?.close();
  }
}

/** Yields copies of the bytes, because a buffer that moves to a thread must not be shared with the socket. */
async function* splitPieces(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield Uint8Array.from(chunk.subarray(at, at + PIECE_BYTES));
  }
}

async function readHere(writer: ChunkWriter, declared: DeclaredCsv, pieces: readonly Uint8Array[]): Promise<ReadPart> {
  const reader = new FileReader(declared);
  for (const piece of pieces) {
    await storeChunks(writer, reader.push(piece));
    await yieldToEventLoop();
  }
  return storeChunks(writer, reader.end());
}

async function storeChunks(writer: ChunkWriter, part: ReadPart): Promise<ReadPart> {
  for (const chunk of part.chunks) await writer.store(chunk);
  return part;
}

/**
 * Returns the frequency of a stored file from its column of times. Returns null if the rows have no frequency, or if two
 * rows lie in the same period.
 */
export async function guessFrequency(
  executor: Executor,
  fileId: string,
  file: Pick<StoredFile, 'rows' | 'columns'>,
  timeField: string | null,
): Promise<string | null> {
  if (timeField === null) return null;
  const column = findTimeColumn(file.columns, timeField);
  try {
    return (await readSeries(executor, { id: fileId, rows: file.rows }, { time: column, value: null })).frequency;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
