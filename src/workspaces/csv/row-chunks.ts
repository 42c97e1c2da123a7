import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { countRowsOfWork, type Database, type Executor } from '../../platform/index.ts';
import { csvFileNotFound, workspaceDenied } from '../faults.ts';
import { type RowChunk, splitChunk } from './row-text.ts';
import type { CsvTables } from './tables.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

async function decompressRows(packed: Uint8Array, size: number): Promise<Uint8Array<ArrayBuffer>> {
  // Without the limit, damaged bytes could decompress to more than fits into memory.
  const bytes = await decompress(packed, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error(`Rows decompressed to ${bytes.length} bytes instead of ${size}.`);
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
}

/** Stores the rows of a file in chunks. */
export class ChunkWriter {
  readonly #database: Database;
  readonly #fileId: string;
  #firstRow = 0;

  constructor(database: Database, fileId: string) {
    this.#database = database;
    this.#fileId = fileId;
  }

  /** Compresses a chunk in another thread and stores it. */
  async store({ rows, bytes }: RowChunk): Promise<void> {
    const firstRow = this.#firstRow;
    this.#firstRow += rows;
    countRowsOfWork(rows);
    const packed = await compress(bytes, COMPRESSION);
    const stored = await sql`
      INSERT INTO csv_chunk (file_id, first_row, rows, size, packed)
      SELECT id, ${firstRow}::integer, ${rows}::integer, ${bytes.length}::integer, ${packed}::bytea
      FROM csv_file WHERE id = ${this.#fileId} FOR KEY SHARE
      RETURNING file_id`.execute(this.#database.query());
    // The workspace was deleted during the upload.
    if (stored.rows.length === 0) throw workspaceDenied();
  }
}

/** Some rows of a file, as bytes that `splitChunk` splits into rows. */
export interface StoredChunk {
  /** The index of the first row, counted from 0. */
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface ReadableFile {
  readonly id: string;
  readonly rows: number;
}

/**
 * Yields the rows of a file from `fromRow` on, with one chunk in memory at a time. Throws if the file is deleted in the
 * meantime, so that a part of the rows is not mistaken for all of them.
 */
export async function* readRows(
  executor: Executor,
  file: ReadableFile,
  fromRow = 0,
): AsyncGenerator<{ readonly firstRow: number; readonly rows: readonly string[] }> {
  for await (const { firstRow, rows: count, bytes } of readChunks(executor, file, fromRow)) {
    const rows = splitChunk(bytes);
    if (rows.length !== count) throw new Error(`Rows of ${file.id} are missing.`);
    const next = Math.max(fromRow, firstRow);
    yield { firstRow: next, rows: rows.slice(next - firstRow) };
  }
}

/** Yields the chunks of a file that contain the rows from `fromRow` on. */
export async function* readChunks(executor: Executor, file: ReadableFile, fromRow = 0): AsyncGenerator<StoredChunk> {
  for (let next = fromRow; next < file.rows; ) {
    const chunk = await readChunkOf(executor, file, next);
    yield chunk;
    next = chunk.firstRow + chunk.rows;
  }
}

/** Yields the chunks of a file from the last to the first. */
export async function* readChunksBackward(executor: Executor, file: ReadableFile): AsyncGenerator<StoredChunk> {
  for (let row = file.rows - 1; row >= 0; ) {
    const chunk = await readChunkOf(executor, file, row);
    yield chunk;
    row = chunk.firstRow - 1;
  }
}

/** Reads the chunk that contains a row. Throws a fault if the file was deleted. */
async function readChunkOf(executor: Executor, file: ReadableFile, row: number): Promise<StoredChunk> {
  const chunk = await executor
    .query<CsvTables>()
    .selectFrom('csv_chunk')
    .select(['first_row', 'rows', 'size', 'packed'])
    .where('file_id', '=', file.id)
    .where('first_row', '<=', row)
    .orderBy('first_row', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (chunk === undefined) throw csvFileNotFound();
  const { first_row: firstRow, rows, size, packed } = chunk;
  if (firstRow + rows <= row) throw new Error(`Rows of ${file.id} are missing.`);
  countRowsOfWork(rows);
  return { firstRow, rows, bytes: await decompressRows(packed, size) };
}
