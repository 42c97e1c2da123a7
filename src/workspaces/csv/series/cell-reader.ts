import type { ThreadSession } from '../../../platform/index.ts';
import { type CsvTaskInput, openCellSession } from '../csv-threads.ts';
import { type CollectedRows, type ReadColumns, readCells } from './read-cells.ts';

/** Reading this number of rows takes a few milliseconds. The rows of longer files are read in another thread. */
export const MAX_ROWS_READ_HERE = 5_000;

/** Reads the cells of the chunks of one file. */
export class CellReader {
  readonly #columns: ReadColumns;
  readonly #isLong: boolean;
  #session: ThreadSession<CsvTaskInput, CollectedRows> | null = null;

  constructor(file: { readonly rows: number }, columns: ReadColumns) {
    this.#columns = columns;
    this.#isLong = file.rows > MAX_ROWS_READ_HERE;
  }

  /** @param bytes a chunk, which cannot be used afterward */
  async read(bytes: Uint8Array<ArrayBuffer>): Promise<CollectedRows> {
    if (!this.#isLong) return readCells(bytes, this.#columns);
    this.#session ??= openCellSession(this.#columns);
    return this.#session.call(bytes, movableBuffers(bytes));
  }

  [Symbol.dispose](): void {
    this.#session?.close();
  }
}

/** Returns the buffer of bytes that are all of it, so that it can move to another thread. Other bytes are copied. */
export function movableBuffers({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] {
  return byteOffset === 0 && byteLength === buffer.byteLength ? [buffer] : [];
}
