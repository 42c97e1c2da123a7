import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Fault } from '../../../contract/index.ts';
import type { Database, Executor } from '../../../platform/index.ts';
import { type ColumnDescription, ColumnProfile } from '../describing/column-profile.ts';
import { describeColumns } from '../describing/describe-columns.ts';
import { type CsvOutline, CsvReader, type DeclaredCsv } from '../reading/csv-reader.ts';
import { ChunkWriter, readChunks, splitRow } from '../row-chunks.ts';
import { assignRowTimestamps } from '../series/assign-row-timestamps.ts';
import { allocateRows, orderByTime, readOffset, readTime, selectRows } from '../series/collect-rows.ts';
import { findTimeColumn } from '../series/find-columns.ts';

/** The description of a file whose rows are stored. */
export interface StoredFile extends CsvOutline {
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly ColumnDescription[];
}

/** Number of bytes that are read at a time, so that a large chunk does not block the event loop. */
const PIECE_BYTES = 64 * 1024;

/** Reads a file as it arrives and stores its rows. Reading pauses while a chunk is being stored. */
export async function storeRows(
  database: Database,
  fileId: string,
  body: AsyncIterable<Buffer>,
  declared: DeclaredCsv,
): Promise<StoredFile> {
  const digest = createHash('sha256');
  const writer = new ChunkWriter(database, fileId);
  let profiles: ColumnProfile[] | null = null;
  let bytes = 0;
  const reader = new CsvReader(declared, (cells, line) => {
    profiles ??= reader.names.map((name) => new ColumnProfile(name, declared.dates));
    for (let column = 0; column < cells.length; column++) profiles[column]?.add(cells[column] as string, line);
    writer.add(cells, line);
  });
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      bytes += piece.length;
      digest.update(piece);
      reader.push(piece);
      await writer.flushIfFull();
      await yieldToEventLoop();
    }
  }
  const outline = reader.end();
  await writer.flush();
  const columns = describeColumns((profiles ?? []) as ColumnProfile[]);
  return { ...outline, bytes, sha256: digest.digest('hex'), columns };
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
  const found = allocateRows(file.rows);
  let count = 0;
  for await (const { rows } of readChunks(executor, { id: fileId, rows: file.rows })) {
    for (const text of rows) {
      const row = splitRow(text);
      const time = readTime(row, column);
      if (time === null) continue;
      found.times[count] = time;
      found.offsets[count] = readOffset(row, column);
      count++;
    }
  }
  try {
    return assignRowTimestamps(orderByTime(selectRows(found, count))).frequency;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
