/** Control characters that cells cannot contain, because they are refused when a file is read. */
const CELL_END = '\u001f';
const ROW_END = '\u001e';
const ROW_END_BYTE = 0x1e;

/** The approximate number of characters in a chunk. A chunk ends with the row that reaches this length. */
const CHUNK_LENGTH = 1024 ** 2;

/** A stored row: its line in the file and its cells. */
export interface StoredRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Some rows of a file in the form in which they are stored, before they are compressed. */
export interface RowChunk {
  readonly rows: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function joinRow(cells: readonly string[], line: number): string {
  return `${line}${CELL_END}${cells.join(CELL_END)}${ROW_END}`;
}

/** Splits the text of a row, as `splitChunk` returns it. */
export function splitRow(row: string): StoredRow {
  const [line, ...cells] = row.split(CELL_END);
  return { line: Number(line), cells };
}

/**
 * Returns the line and two of the cells of a row, without splitting the others.
 *
 * @param row the text of a row, as `splitChunk` returns it
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

/** Returns the bytes of the first row of a chunk. */
export function firstRowOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.indexOf(ROW_END_BYTE) + 1);
}

/** Returns the bytes of the last row of a chunk. */
export function lastRowOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.lastIndexOf(ROW_END_BYTE, bytes.length - 2) + 1);
}

/** Returns the text of each row of a chunk. */
export function splitChunk(bytes: Uint8Array): string[] {
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8').split(ROW_END).slice(0, -1);
}

/** Joins rows to chunks. */
export class RowJoiner {
  #rows: string[] = [];
  #length = 0;
  #full: RowChunk[] = [];

  add(cells: readonly string[], line: number): void {
    const row = joinRow(cells, line);
    this.#rows.push(row);
    this.#length += row.length;
    if (this.#length >= CHUNK_LENGTH) this.#endChunk();
  }

  /** Returns the chunks that are full, once. */
  takeFull(): readonly RowChunk[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Returns the remaining rows. */
  takeRest(): readonly RowChunk[] {
    if (this.#rows.length > 0) this.#endChunk();
    return this.takeFull();
  }

  #endChunk(): void {
    this.#full.push({ rows: this.#rows.length, bytes: new TextEncoder().encode(this.#rows.join('')) });
    this.#rows = [];
    this.#length = 0;
  }
}
