import { CSV_DELIMITERS, type CsvDelimiter } from '../../contract/csv-vocabulary.ts';
import { CsvError, CsvTokenizer } from './tokenizer.ts';

/** Maximum number of records that the detection uses. */
const MAX_RECORDS = 100;

export interface DelimiterOptions {
  /** Whether the text is complete. Otherwise it may end in the middle of a record. */
  readonly isWhole: boolean;
  /** Returns whether a cell is a number or a time, which the name of a column rarely is. */
  readonly isNumberOrTime: (cell: string) => boolean;
  readonly maxCellLength: number;
  readonly maxColumns: number;
}

interface Candidate {
  readonly delimiter: CsvDelimiter;
  /** The number of cells of the first record. */
  readonly width: number;
  /** The share of the records below the first that have the same width as the first; 0 if the width is one cell. */
  readonly agreeing: number;
  /** The share of the cells below the first record that are numbers or times. */
  readonly typed: number;
  /** Whether every record has one cell. */
  readonly isOneColumn: boolean;
  /** Whether the records below the first form a table that the first does not fit. */
  readonly isTableBelow: boolean;
}

/**
 * Returns the delimiter of a text: the one with which most records have the same number of cells as the first, if that
 * number is more than one. Ties are decided by the share of cells that are numbers or times, then by the number of
 * columns, then by the order `, ; tab |`. If no delimiter makes at least half of the records agree, the delimiters only
 * split a name (`Revenue; EUR`) or sentences. The text then has one column, and the result is a delimiter that it does
 * not contain. The exception is a table below a title or below a header with too few names, which a single column would
 * hide.
 */
export function detectDelimiter(text: string, options: DelimiterOptions): CsvDelimiter {
  const inOrder = CSV_DELIMITERS.map((delimiter) => evaluate(text, delimiter, options));
  const candidates = inOrder.toSorted((a, b) => b.agreeing - a.agreeing || b.typed - a.typed || b.width - a.width);
  const [best] = candidates;
  if (best !== undefined && best.agreeing >= 0.5) return best.delimiter;
  const found =
    candidates.find(({ isTableBelow }) => isTableBelow) ??
    inOrder.find(({ isOneColumn }) => isOneColumn) ??
    candidates.find(({ agreeing }) => agreeing > 0);
  return found?.delimiter ?? ',';
}

/** Returns whether the first line of a file is a header. A line of only numbers and times is already a row. */
export function isHeaderLine(cells: readonly string[], isNumberOrTime: (cell: string) => boolean): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length === 0 || filled.some((cell) => !isNumberOrTime(cell));
}

function evaluate(text: string, delimiter: CsvDelimiter, options: DelimiterOptions): Candidate {
  const { isNumberOrTime } = options;
  const { records, isBroken } = splitSample(text, delimiter, options);
  const [first = [], ...below] = records;
  const width = first.length;
  const agreeing = below.filter(({ length }) => length === width).length;
  const total = below.length + (isBroken ? 1 : 0);
  const cells = below.flat();
  return {
    delimiter,
    width,
    agreeing: width < 2 ? 0 : total === 0 ? 1 : agreeing / total,
    typed: cells.length === 0 ? 0 : cells.filter(isNumberOrTime).length / cells.length,
    isOneColumn: !isBroken && records.every(({ length }) => length === 1),
    isTableBelow: isTable(below) && (width > 1 || isHeaderLine(below[0] ?? [], isNumberOrTime)),
  };
}

/** Returns whether all records have the same width of more than one cell. */
function isTable(records: readonly (readonly string[])[]): boolean {
  const width = records[0]?.length ?? 0;
  return width > 1 && records.every(({ length }) => length === width);
}

interface Sample {
  readonly records: readonly (readonly string[])[];
  /** Whether a misplaced quote ended the sample early. */
  readonly isBroken: boolean;
}

function splitSample(text: string, delimiter: CsvDelimiter, options: DelimiterOptions): Sample {
  const { isWhole, maxCellLength, maxColumns } = options;
  const records: string[][] = [];
  const take = (cells: string[]) => {
    if (records.length < MAX_RECORDS) records.push(cells);
  };
  const tokenizer = new CsvTokenizer(delimiter, take, {
    sameWidth: false,
    maxCellLength,
    maxColumns,
  });
  try {
    tokenizer.push(text);
    if (isWhole || records.length === 0) tokenizer.end();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, isBroken: records.length < MAX_RECORDS };
  }
  return { records, isBroken: false };
}
