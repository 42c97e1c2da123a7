import { type PackageFile, readPackageFile, sayPackageFile } from './read-package-file.ts';

/** A row of a CSV file by column, and where it stands. */
export interface CsvRow<Column extends string> {
  /** File and line, as messages name them. */
  readonly where: string;
  readonly cells: Readonly<Record<Column, string>>;
}

/**
 * The rows of a CSV file (RFC 4180; lines end in CRLF or LF). The header must be exactly the columns named, in their
 * order, and every row as long as it: a file that changed is refused rather than misread.
 *
 * @example parseCsv('a,b\n1,"x, y"\n', ['a', 'b'], 'my.csv')[0]?.cells.b // 'x, y'
 */
export function parseCsv<Column extends string>(
  text: string,
  columns: readonly Column[],
  file: string,
): readonly CsvRow<Column>[] {
  const [header, ...records] = splitRecords(text, file);
  const found = JSON.stringify(header?.cells ?? []);
  if (found !== JSON.stringify(columns)) {
    throw new Error(`${file}, line 1: the columns are ${found}, expected ${JSON.stringify(columns)}.`);
  }
  return records.map(({ line, cells }) => {
    const where = `${file}, line ${line}`;
    if (cells.length !== columns.length) {
      throw new Error(`${where}: there are ${cells.length} cells, expected ${columns.length}.`);
    }
    const named = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
    return { where, cells: named as Record<Column, string> };
  });
}

export async function readPackageCsv<Column extends string>(
  file: PackageFile,
  columns: readonly Column[],
): Promise<readonly CsvRow<Column>[]> {
  return parseCsv(await readPackageFile(file), columns, sayPackageFile(file));
}

interface CsvRecord {
  /** The line it begins on, from 1: a quoted cell may hold line breaks. */
  readonly line: number;
  readonly cells: string[];
}

/** A cell, quoted or bare, and what ends it: a comma, a line break or the end of the text. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function splitRecords(text: string, file: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let [line, begun, at] = [1, 1, 0];
  // A line break at the end of the file ends the last record; it does not begin another.
  while (at < text.length || cells.length > 0) {
    CELL.lastIndex = at;
    const match = CELL.exec(text);
    if (match === null) throw new Error(`${file}, line ${line}: a quote is out of place or never closed.`);
    const [whole, quoted, bare = '', end = ''] = match;
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    at += whole.length;
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    records.push({ line: begun, cells });
    cells = [];
    begun = line;
  }
  return records;
}
