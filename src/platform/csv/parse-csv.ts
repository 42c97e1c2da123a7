import { DAY_MS } from '../../calendar/index.ts';
import { CsvError, CsvTokenizer } from './tokenizer.ts';

/** A row of a CSV file by column, and where it is. */
export interface CsvRow<Column extends string> {
  /** File and line, as messages name them. */
  readonly where: string;
  readonly cells: Readonly<Record<Column, string>>;
}

/**
 * Returns the rows of a CSV file. The header must be exactly `columns`, in their order, and every row must have as many
 * cells: a file that changed is refused rather than misread.
 *
 * @example parseCsv('a,b\n1,"x, y"\n', ['a', 'b'], 'my.csv')[0]?.cells.b // 'x, y'
 */
export function parseCsv<Column extends string>(
  text: string,
  columns: readonly Column[],
  file: string,
): readonly CsvRow<Column>[] {
  const [header, ...records] = readRecords(text, file);
  const found = JSON.stringify(header?.cells ?? []);
  if (found !== JSON.stringify(columns)) {
    throw new Error(`${file}, line 1: the columns are ${found}, expected ${JSON.stringify(columns)}.`);
  }
  return records.map(({ line, cells }) => ({
    where: `${file}, line ${line}`,
    cells: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<Column, string>,
  }));
}

interface CsvRecord {
  /** The line on which it begins, from 1: a quoted cell may hold line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
}

function readRecords(text: string, file: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const tokenizer = new CsvTokenizer(',', (cells, line) => records.push({ line, cells }), {
    sameWidth: true,
    skipEmptyLines: false,
  });
  try {
    tokenizer.push(text);
    tokenizer.end();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${file}, line ${error.line}: ${error.message}`, { cause: error });
  }
  return records;
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Returns the finite number that a cell holds in decimal notation. Throws an error that begins with `where` for anything
 * else, a blank cell included.
 *
 * @example parseNumber('-1.5', 'my.csv, line 2') // -1.5
 */
export function parseNumber(cell: string, where: string): number {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (!Number.isFinite(value)) throw new Error(`${where}: ${JSON.stringify(cell)} is not a finite number.`);
  return value;
}

/** Returns midnight UTC of a date written YYYY-MM-DD. Throws for anything else, February 30 included. */
export function parseDate(cell: string, where: string): number {
  const instant = DATE.test(cell) ? Date.parse(cell) : Number.NaN;
  // Date.parse may carry an impossible day over into the next month; the date then differs from the cell.
  if (Number.isNaN(instant) || instant % DAY_MS !== 0 || new Date(instant).toISOString().slice(0, 10) !== cell) {
    throw new Error(`${where}: ${JSON.stringify(cell)} is not a date.`);
  }
  return instant;
}
