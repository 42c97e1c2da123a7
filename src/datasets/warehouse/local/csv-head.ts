import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { CSV_DELIMITERS, MAX_WAREHOUSE_COLUMN_NAME } from '../../../contract/index.ts';
import { CsvError, CsvTokenizer, detectDelimiter, isHeaderLine } from '../../../platform/index.ts';
import { type CellKind, findCellKind, isNumberOrTime, joinKinds } from './cell-kinds.ts';
import { csvHeadInvalid, tableChanged } from './faults.ts';
import type { TableFile } from './find-table-files.ts';
import { foldName, MAX_COLUMNS } from './footer-summary.ts';

/** The beginning of a CSV file. */
export interface CsvHead {
  readonly delimiter: string;
  /** The names of the columns, which are unique even if case is ignored. */
  readonly header: readonly string[];
  /** The kinds of the columns; null for a column without values. */
  readonly kinds: readonly (CellKind | null)[];
}

export const HEAD_BYTES = 256 * 1024;

/**
 * Reads the names and kinds of the columns from the beginning of a CSV file in UTF-8. An empty cell is a missing value.
 * Later rows may have other kinds; the read that finds them is refused.
 */
export async function readCsvHead(file: TableFile): Promise<CsvHead> {
  const bytes = await readHead(file);
  const isWhole = bytes.length >= file.size;
  const text = decode(bytes, isWhole, file.name);
  // DuckDB takes the first line as the header, even if it is empty.
  if (/^[\r\n]/.test(text)) throw csvHeadInvalid(file.name, 'its first line is empty.');
  const maxCellLength = HEAD_BYTES;
  const delimiter = detectDelimiter(text, { isWhole, isNumberOrTime, maxCellLength, maxColumns: MAX_COLUMNS });
  const [first, ...rows] = readRecords(text, isWhole, delimiter, file.name);
  const header = first.map((name) => name.trim());
  checkHeader(header, file.name);
  if (header.length === 1 && CSV_DELIMITERS.some((one) => header[0]?.includes(one))) {
    throw csvHeadInvalid(file.name, 'its lines do not have the same number of cells.');
  }
  if (rows.length === 0 && !isWhole) {
    throw csvHeadInvalid(file.name, `its first ${HEAD_BYTES} bytes have no complete row.`);
  }
  const kinds: (CellKind | null)[] = header.map(() => null);
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      const content = cell.trim();
      // Text contains all kinds, so that more cells change nothing.
      if (content !== '' && kinds[index] !== 'text')
        kinds[index] = joinKinds(kinds[index] ?? null, findCellKind(content));
    }
  }
  return { delimiter, header, kinds };
}

async function readHead(file: TableFile): Promise<Buffer> {
  // A link or special file that has replaced the file is not opened.
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => {
    throw tableChanged();
  });
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || stats.ino !== file.inode || stats.mtimeNs !== file.modifiedNs) throw tableChanged();
    const bytes = Buffer.alloc(Math.min(HEAD_BYTES, file.size));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) throw tableChanged();
      filled += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer, isWhole: boolean, file: string): string {
  // UTF-16 without a mark is valid UTF-8 with zeros.
  if (bytes.includes(0)) throw csvHeadInvalid(file, 'it is not text in UTF-8.');
  try {
    // A head can end in the middle of a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    throw csvHeadInvalid(file, 'it is not text in UTF-8.');
  }
}

/** Returns the records that are complete. */
function readRecords(text: string, isWhole: boolean, delimiter: string, file: string): [string[], ...string[][]] {
  const records: string[][] = [];
  const tokenizer = new CsvTokenizer(delimiter, (cells) => void records.push(cells), {
    sameWidth: true,
    maxColumns: MAX_COLUMNS,
  });
  try {
    tokenizer.push(text);
    if (isWhole) tokenizer.end();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvHeadInvalid(file, `on line ${error.line}, ${error.message}`);
  }
  const [header, ...rows] = records;
  if (header === undefined) {
    throw csvHeadInvalid(file, isWhole ? 'it is empty.' : `its first line has more than ${HEAD_BYTES} bytes.`);
  }
  return [header, ...rows];
}

function checkHeader(header: readonly string[], file: string): void {
  if (!isHeaderLine(header, isNumberOrTime)) {
    throw csvHeadInvalid(file, 'its first line must contain the names of the columns.');
  }
  const seen = new Map<string, number>();
  for (const [index, name] of header.entries()) {
    if (name === '') throw csvHeadInvalid(file, `column ${index + 1} has no name.`);
    if (name.length > MAX_WAREHOUSE_COLUMN_NAME) {
      throw csvHeadInvalid(
        file,
        `the name of column ${index + 1} has more than ${MAX_WAREHOUSE_COLUMN_NAME} characters.`,
      );
    }
    // DuckDB ignores case.
    const earlier = seen.get(foldName(name));
    if (earlier !== undefined) {
      throw csvHeadInvalid(file, `columns ${earlier + 1} and ${index + 1} are both named ${JSON.stringify(name)}.`);
    }
    seen.set(foldName(name), index);
  }
}
