import { MAX_CSV_CELL, MAX_CSV_COLUMNS } from '../../../contract/csv-vocabulary.ts';
import { CsvError, CsvTokenizer } from '../../../platform/csv/tokenizer.ts';
import { isMissing } from '../cells/numbers.ts';
import { isNumberOrTime } from './header.ts';
import { MAX_SKIPPED } from './skipped-lines.ts';

/** Number of lines that decide where the table begins. */
const MAX_RECORDS = 60;

/** Where the table of a file begins. */
export interface TableStart {
  /** Number of lines above the header. */
  readonly titles: number;
  /** Whether the line below the header has the units of the columns. */
  readonly hasUnits: boolean;
}

interface StartOptions {
  /** Whether the text is complete. Otherwise its last record may be incomplete. */
  readonly isWhole: boolean;
  /** What the upload declares about the header. */
  readonly header: 'present' | 'absent' | null;
}

type Cells = readonly string[];

/**
 * Returns where the table begins. Lines above it are titles only if a line of column names follows, and that line is
 * followed by values: a header with too few names must stay an error, because its names would shift.
 */
export function findTable(text: string, delimiter: string, { isWhole, header }: StartOptions): TableStart {
  if (header === 'absent') return { titles: 0, hasUnits: false };
  const records = splitStart(text, delimiter, isWhole);
  const titles = countTitles(records);
  return { titles, hasUnits: isUnits(records.slice(titles)) };
}

/** Returns whether the first lines have the same number of cells, more than one, so that the table begins with them. */
export function isEven(text: string, delimiter: string, { isWhole }: StartOptions): boolean {
  const records = splitStart(text, delimiter, isWhole).slice(0, MAX_SKIPPED + 2);
  const width = records[0]?.length ?? 0;
  return width > 1 && records.every(({ length }) => length === width);
}

function countTitles(records: readonly Cells[]): number {
  const start = records.findIndex((cells) => !isTitle(cells, records));
  if (start < 1 || start > MAX_SKIPPED) return 0;
  const [names = [], ...below] = records.slice(start);
  const hasNames = filledCells(names).length > 1 && !names.some(isNumberOrTime);
  const width = names.length;
  const isTable = below.length > 0 && below.slice(0, -MAX_SKIPPED).every(({ length }) => length === width);
  return hasNames && isTable && below.some((cells) => cells.length === width && hasValues(cells)) ? start : 0;
}

/** Returns whether a line is narrower than the table, or has text in its first cell alone. */
function isTitle(cells: Cells, records: readonly Cells[]): boolean {
  const width = Math.max(...records.map(({ length }) => length));
  const filled = filledCells(cells);
  if (width < 2) return false;
  return filled.length === 0 || (filled.length === 1 && cells[0]?.trim() !== '' && !isNumberOrTime(cells[0] ?? ''));
}

/** Returns whether the line below the header has only words, above values in the same columns. */
function isUnits([, units = [], ...below]: readonly Cells[]): boolean {
  const filled = units.flatMap((cell, column) => (isMissing(cell.trim()) ? [] : [column]));
  if (filled.length === 0 || units.some(isNumberOrTime)) return false;
  const [first, second] = below;
  return [first, second].every(
    (cells) =>
      cells !== undefined &&
      cells.length === units.length &&
      hasValues(cells) &&
      filled.some((column) => isNumberOrTime(cells[column] ?? '')),
  );
}

/** Returns whether a line has at least two numbers or times, such as a time and its value. */
function hasValues(cells: Cells): boolean {
  return cells.filter(isNumberOrTime).length > 1;
}

function filledCells(cells: Cells): Cells {
  return cells.filter((cell) => cell.trim() !== '');
}

/** Returns the first records. A misplaced quote ends them early; reading the file reports it. */
function splitStart(text: string, delimiter: string, isWhole: boolean): Cells[] {
  const records: string[][] = [];
  const tokenizer = new CsvTokenizer(delimiter, (cells) => records.push(cells), {
    sameWidth: false,
    maxCellLength: MAX_CSV_CELL,
    maxColumns: MAX_CSV_COLUMNS,
  });
  try {
    for (let at = 0; at < text.length && records.length < MAX_RECORDS; at += 4096)
      tokenizer.push(text.slice(at, at + 4096));
    if (isWhole && records.length < MAX_RECORDS) tokenizer.end();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return records.slice(0, MAX_RECORDS);
}
