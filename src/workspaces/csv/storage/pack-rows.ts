import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Control characters, which no cell has: they are refused when a file is read. */
const CELL_END = '\u001f';
const ROW_END = '\u001e';

/** A row as it is kept: its line in the file, then its cells. */
export function joinRow(cells: readonly string[], line: number): string {
  return `${line}${CELL_END}${cells.join(CELL_END)}${ROW_END}`;
}

export interface StoredRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export function splitRow(row: string): StoredRow {
  const [line, ...cells] = row.split(CELL_END);
  return { line: Number(line), cells };
}

export interface PackedRows {
  readonly size: number;
  readonly packed: Buffer;
}

/** Compresses rows, on another thread. */
export async function packRows(rows: readonly string[]): Promise<PackedRows> {
  const bytes = Buffer.from(rows.join(''));
  return { size: bytes.length, packed: await compress(bytes, LEVEL) };
}

export async function unpackRows(packed: Uint8Array, size: number): Promise<string[]> {
  // Without the bound a few damaged bytes could ask for all the memory there is.
  const bytes = await decompress(packed, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error(`Rows unpacked to ${bytes.length} bytes instead of ${size}.`);
  return bytes.toString('utf8').split(ROW_END).slice(0, -1);
}
