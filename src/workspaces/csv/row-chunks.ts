import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import {
  type Clock,
  countRowsOfWork,
  type Database,
  type Executor,
  insertParts,
  type MovableThings,
  type PlacedRow,
  placeBytes,
  readPlaced,
} from '../../platform/index.ts';
import { csvFileNotFound, workspaceDenied } from '../faults.ts';
import type { CsvContext } from './find-csv-file.ts';
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
  readonly #clock: Clock;
  readonly #fileId: string;
  #firstRow = 0;

  constructor({ database, clock }: Pick<CsvContext, 'database' | 'clock'>, fileId: string) {
    this.#database = database;
    this.#clock = clock;
    this.#fileId = fileId;
  }

  /** Compresses a chunk in another thread and stores it. */
  async store({ rows, bytes }: RowChunk): Promise<void> {
    const firstRow = this.#firstRow;
    this.#firstRow += rows;
    countRowsOfWork(rows);
    const packed = await compress(bytes, COMPRESSION);
    const now = this.#clock.now();
    const { parts, ...placed } = await placeBytes(this.#database, 'uploads', packed, now);
    const values = { firstRow, rows, size: bytes.length, ...placed };
    const isStored =
      parts.length === 0
        ? await this.#insertChunk(this.#database, values)
        : await this.#database.transaction(async (tx) => {
            if (!(await this.#insertChunk(tx, values))) return false;
            await insertParts(tx, thingOf(this.#fileId, firstRow), parts, now);
            return true;
          });
    // The workspace was deleted during the upload.
    if (!isStored) throw workspaceDenied();
  }

  /** Returns whether the file still exists. */
  async #insertChunk(executor: Executor, { firstRow, rows, size, packed, packed_bytes }: NewChunk): Promise<boolean> {
    const stored = await sql`
      INSERT INTO csv_chunk (file_id, first_row, rows, size, packed, packed_bytes)
      SELECT id, ${firstRow}::integer, ${rows}::integer, ${size}::integer, ${packed}::bytea, ${packed_bytes}::integer
      FROM csv_file WHERE id = ${this.#fileId} FOR KEY SHARE
      RETURNING file_id`.execute(executor.query());
    return stored.rows.length > 0;
  }
}

interface NewChunk extends PlacedRow {
  readonly firstRow: number;
  readonly rows: number;
  readonly size: number;
}

/** Returns the thing that the parts of a chunk belong to. A trigger of the database computes it as well. */
function thingOf(fileId: string, firstRow: number): string {
  return `${fileId}/${firstRow}`;
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
  const found = await readPlaced(
    executor,
    () =>
      executor
        .query<CsvTables>()
        .selectFrom('csv_chunk')
        .select(['file_id', 'first_row', 'rows', 'size', 'packed', 'packed_bytes'])
        .where('file_id', '=', file.id)
        .where('first_row', '<=', row)
        .orderBy('first_row', 'desc')
        .limit(1)
        .executeTakeFirst(),
    (chunk) => thingOf(chunk.file_id, chunk.first_row),
  );
  if (found === null) throw csvFileNotFound();
  const { first_row: firstRow, rows, size } = found.row;
  if (firstRow + rows <= row) throw new Error(`Rows of ${file.id} are missing.`);
  countRowsOfWork(rows);
  return { firstRow, rows, bytes: await decompressRows(found.bytes, size) };
}

/** The chunks of rows, whose bytes can be in the database or in the object storage. */
export const MOVABLE_CHUNKS: MovableThings = {
  kind: 'uploads',
  table: 'csv_chunk',
  key: ['file_id', 'first_row'],
  thingOf: ([fileId, firstRow]) => thingOf(String(fileId), Number(firstRow)),
  async isIntact(executor, [fileId, firstRow], packed) {
    const row = await executor
      .query<CsvTables>()
      .selectFrom('csv_chunk')
      .select(['rows', 'size'])
      .where('file_id', '=', String(fileId))
      .where('first_row', '=', Number(firstRow))
      .executeTakeFirst();
    if (row === undefined) return true;
    try {
      return splitChunk(await decompressRows(packed, row.size)).length === row.rows;
    } catch {
      return false;
    }
  },
};
