import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { countRowsOfWork, type Database, type Executor } from '../../platform/index.ts';
import { csvFileNotFound, workspaceDenied } from '../faults.ts';
import type { CsvTables } from './tables.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Control characters that cells cannot contain, because they are refused when a file is read. */
const CELL_END = '\u001f';
const ROW_END = '\u001e';

/** The approximate number of characters in a chunk. A chunk ends with the row that reaches this length. */
const CHUNK_LENGTH = 1024 ** 2;

/** A stored row: its line in the file and its cells. */
export interface StoredRow {
  readonly line: number;
  readonly cells: readonly string[];
}

function joinRow(cells: readonly string[], line: number): string {
  return `${line}${CELL_END}${cells.join(CELL_END)}${ROW_END}`;
}

/** Splits the text of a row, as `readChunks` returns it. */
export function splitRow(row: string): StoredRow {
  const [line, ...cells] = row.split(CELL_END);
  return { line: Number(line), cells };
}

/**
 * Returns two of the cells of a row, without splitting the others.
 *
 * @param row the text of a row, as `readChunks` returns it
 */
export function selectCells(row: string, [first, second]: readonly [number, number]): StoredRow {
  const last = Math.max(first, second);
  const lineEnd = row.indexOf(CELL_END);
  const line = Number(lineEnd < 0 ? row : row.slice(0, lineEnd));
  const found: [string, string] = ['', ''];
  let start = lineEnd + 1;
  for (let column = 0; column <= last && start > 0; column++) {
    const end = row.indexOf(CELL_END, start);
    if (column === first || column === second) {
      const cell = end < 0 ? row.slice(start) : row.slice(start, end);
      if (column === first) found[0] = cell;
      if (column === second) found[1] = cell;
    }
    start = end + 1;
  }
  return { line, cells: found };
}

interface CompressedRows {
  readonly size: number;
  readonly packed: Buffer;
}

/** Compresses rows in another thread. */
async function compressRows(rows: readonly string[]): Promise<CompressedRows> {
  const bytes = Buffer.from(rows.join(''));
  return { size: bytes.length, packed: await compress(bytes, COMPRESSION) };
}

async function decompressRows(packed: Uint8Array, size: number): Promise<string[]> {
  // Without the limit, damaged bytes could decompress to more than fits into memory.
  const bytes = await decompress(packed, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error(`Rows decompressed to ${bytes.length} bytes instead of ${size}.`);
  return bytes.toString('utf8').split(ROW_END).slice(0, -1);
}

/** Stores the rows of a file in chunks. */
export class ChunkWriter {
  readonly #database: Database;
  readonly #fileId: string;
  #rows: string[] = [];
  #length = 0;
  #firstRow = 0;

  constructor(database: Database, fileId: string) {
    this.#database = database;
    this.#fileId = fileId;
  }

  add(cells: readonly string[], line: number): void {
    const row = joinRow(cells, line);
    this.#rows.push(row);
    this.#length += row.length;
  }

  /** Stores the added rows if there are enough for a chunk. Await it before the next `add`. */
  async flushIfFull(): Promise<void> {
    if (this.#length >= CHUNK_LENGTH) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const [rows, firstRow] = [this.#rows, this.#firstRow];
    this.#rows = [];
    this.#length = 0;
    this.#firstRow += rows.length;
    countRowsOfWork(rows.length);
    const { packed, size } = await compressRows(rows);
    const stored = await sql`
      INSERT INTO csv_chunk (file_id, first_row, rows, size, packed)
      SELECT id, ${firstRow}::integer, ${rows.length}::integer, ${size}::integer, ${packed}::bytea
      FROM csv_file WHERE id = ${this.#fileId} FOR KEY SHARE
      RETURNING file_id`.execute(this.#database.query());
    // The workspace was deleted during the upload.
    if (stored.rows.length === 0) throw workspaceDenied();
  }
}

export interface StoredChunk {
  /** The index of the first row, counted from 0. */
  readonly firstRow: number;
  /** The text of each row, which `splitRow` splits. */
  readonly rows: readonly string[];
}

/** Reads the chunk that contains a row. */
async function readChunkOf(
  executor: Executor,
  file: { readonly id: string },
  row: number,
): Promise<StoredChunk & { readonly end: number }> {
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
  const { first_row: firstRow, rows: count, size, packed } = chunk;
  const rows = await decompressRows(packed, size);
  if (firstRow + count <= row || rows.length !== count) throw new Error(`Rows of ${file.id} are missing.`);
  countRowsOfWork(count);
  return { firstRow, rows, end: firstRow + count };
}

/** Yields the chunks of a file from the last to the first. Throws if the file is deleted in the meantime. */
export async function* readChunksBackward(
  executor: Executor,
  file: { readonly id: string; readonly rows: number },
): AsyncGenerator<StoredChunk> {
  for (let row = file.rows - 1; row >= 0; ) {
    const { firstRow, rows } = await readChunkOf(executor, file, row);
    yield { firstRow, rows };
    row = firstRow - 1;
  }
}

/**
 * Yields the rows of a file from `fromRow` on, with one chunk in memory at a time. Throws if the file is deleted in the
 * meantime, so that a part of the rows is not mistaken for all of them.
 */
export async function* readChunks(
  executor: Executor,
  file: { readonly id: string; readonly rows: number },
  fromRow = 0,
): AsyncGenerator<StoredChunk> {
  for (let next = fromRow; next < file.rows; ) {
    const { firstRow, rows, end } = await readChunkOf(executor, file, next);
    yield { firstRow: next, rows: rows.slice(next - firstRow) };
    next = end;
  }
}
