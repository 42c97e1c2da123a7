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
 * Returns where the table begins. Above the first row with values, the line with the most words is the header. Lines above
 * it are titles, and one line below it has units. A header with too few names must stay an error, because its names would
 * shift.
 */
export function findTable(text: string, delimiter: string, { isWhole, header }: StartOptions): TableStart {
  if (header === 'absent') return NO_TITLES;
  const records = splitStart(text, delimiter, isWhole);
  const first = records.findIndex(hasValues);
  const width = records[first]?.length ?? 0;
  const above = records.slice(0, Math.max(0, first));
  const words = above.map((cells) => (cells.length === width ? countWords(cells) : 0));
  const titles = words.indexOf(Math.max(...words));
  const names = above[titles];
  const isEvenBelow = records.slice(first, -MAX_SKIPPED).every(({ length }) => length === width);
  if (names === undefined || names.some(isNumberOrTime) || countWords(names) < 2 || !isEvenBelow) return NO_TITLES;
  const units = above.slice(titles + 1);
  const isKnown = titles <= MAX_SKIPPED && units.length <= 1 && units.every((cells) => isUnits(cells, width));
  const isAbove = above.slice(0, titles).every((cells) => countWords(cells) < countWords(names));
  return isKnown && isAbove ? { titles, hasUnits: units.length === 1 } : NO_TITLES;
}

const NO_TITLES: TableStart = { titles: 0, hasUnits: false };

/** Returns whether the first lines have the same number of cells, more than one, so that the table begins with them. */
export function isEven(text: string, delimiter: string, { isWhole }: StartOptions): boolean {
  const records = splitStart(text, delimiter, isWhole).slice(0, MAX_SKIPPED + 2);
  const width = records[0]?.length ?? 0;
  return width > 1 && records.every(({ length }) => length === width);
}

/** Returns whether a line has at least two numbers or times, such as a time and its value. */
function hasValues(cells: Cells): boolean {
  return cells.filter(isNumberOrTime).length > 1;
}

/** Returns whether a line has only words. A cell that begins with a digit may be a damaged value. */
function isUnits(cells: Cells, width: number): boolean {
  return cells.length === width && !cells.some((cell) => isDamaged(cell) || isNumberOrTime(cell));
}

/** The units of an index begin with the year in which it was 100. */
const INDEX_UNITS = /^\s*\d{4}\s*=\s*100\s*$/;

function isDamaged(cell: string): boolean {
  return /^\s*[\d+-]/.test(cell) && !INDEX_UNITS.test(cell);
}

function countWords(cells: Cells): number {
  return cells.filter((cell) => !isMissing(cell.trim())).length;
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
