import { DAY_MS } from '../../calendar/index.ts';
import { CsvError, CsvTokenizer } from './tokenizer.ts';

/** A row of a CSV file: its cells by column, and its position. */
export interface CsvRow<Column extends string> {
  /** The file and line of the row, for messages. */
  readonly where: string;
  readonly cells: Readonly<Record<Column, string>>;
}

/**
 * Returns the rows of a CSV file. The header must be exactly `columns`, in the same order, and every row must have the
 * same number of cells, so that a changed file causes an error and is not misread.
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
  /** The line on which the record begins, counted from 1. A quoted cell can contain line breaks. */
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
 * Returns the finite number in a cell in decimal notation. For anything else, including a blank cell, it throws an error
 * whose message begins with `where`.
 *
 * @example parseNumber('-1.5', 'my.csv, line 2') // -1.5
 */
export function parseNumber(cell: string, where: string): number {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (!Number.isFinite(value)) throw new Error(`${where}: ${JSON.stringify(cell)} is not a finite number.`);
  return value;
}

/** Returns the timestamp of midnight UTC of a date (YYYY-MM-DD). Throws for anything else, such as February 30. */
export function parseDate(cell: string, where: string): number {
  const instant = DATE.test(cell) ? Date.parse(cell) : Number.NaN;
  // Date.parse may turn an impossible day into a day of the next month; the date then differs from the cell.
  if (Number.isNaN(instant) || instant % DAY_MS !== 0 || new Date(instant).toISOString().slice(0, 10) !== cell) {
    throw new Error(`${where}: ${JSON.stringify(cell)} is not a date.`);
  }
  return instant;
}
