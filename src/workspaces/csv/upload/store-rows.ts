import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Database } from '../../../platform/index.ts';
import { type ColumnDescription, ColumnProfile } from '../describing/column-profile.ts';
import { describeColumns } from '../describing/describe-columns.ts';
import { type CsvOutline, CsvReader, type DeclaredCsv } from '../reading/csv-reader.ts';
import { ChunkWriter } from '../storage/chunk-writer.ts';

/** What the rows of a file turned out to be. */
export interface StoredFile extends CsvOutline {
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly ColumnDescription[];
}

/** Bytes read at a time, so that one large piece does not keep everybody else waiting. */
const PIECE = 64 * 1024;

/** Reads a file as it comes, and stores its rows. Nothing is read on while a chunk is being stored. */
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
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE);
      bytes += piece.length;
      digest.update(piece);
      reader.push(piece);
      await writer.flushIfFull();
      await yieldToOthers();
    }
  }
  const outline = reader.end();
  await writer.flush();
  const columns = describeColumns((profiles ?? []) as ColumnProfile[]);
  return { ...outline, bytes, sha256: digest.digest('hex'), columns };
}
