import { sql } from 'kysely';
import type { Database } from '../../../platform/index.ts';
import { workspaceDenied } from '../../place.ts';
import { joinRow, packRows } from './pack-rows.ts';

/** Characters of a chunk, about: it ends with the row that reaches them. */
const CHUNK = 1024 ** 2;

/** Stores the rows of a file chunk by chunk. */
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

  /** Stores what has come together, if that is enough for a chunk. To be called between additions, and awaited. */
  async flushIfFull(): Promise<void> {
    if (this.#length >= CHUNK) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const [rows, firstRow] = [this.#rows, this.#firstRow];
    this.#rows = [];
    this.#length = 0;
    this.#firstRow += rows.length;
    const { packed, size } = await packRows(rows);
    const stored = await sql`
      INSERT INTO csv_chunk (file_id, first_row, rows, size, packed)
      SELECT id, ${firstRow}::integer, ${rows.length}::integer, ${size}::integer, ${packed}::bytea
      FROM csv_file WHERE id = ${this.#fileId} FOR KEY SHARE
      RETURNING file_id`.execute(this.#database.query());
    // The workspace was removed while its file was on the way.
    if (stored.rows.length === 0) throw workspaceDenied();
  }
}
