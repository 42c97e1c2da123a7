import { CSV_DELIMITERS, type CsvDelimiter, MAX_CSV_CELL, MAX_CSV_COLUMNS } from '../../../contract/csv-vocabulary.ts';
import { CsvError, CsvTokenizer } from '../../../platform/csv/tokenizer.ts';
import { lineFault } from '../../faults.ts';
import { isHeader, isNumberOrTime } from './header.ts';

/** Maximum number of records that the detection uses. */
const MAX_RECORDS = 100;

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
 *
 * @param isWhole whether the text is complete. Otherwise it may end in the middle of a record.
 */
export function detectDelimiter(text: string, isWhole: boolean): CsvDelimiter {
  const inOrder = CSV_DELIMITERS.map((delimiter) => evaluate(text, delimiter, isWhole));
  const candidates = inOrder.toSorted((a, b) => b.agreeing - a.agreeing || b.typed - a.typed || b.width - a.width);
  const [best] = candidates;
  if (best !== undefined && best.agreeing >= 0.5) return best.delimiter;
  const found =
    candidates.find(({ isTableBelow }) => isTableBelow) ??
    inOrder.find(({ isOneColumn }) => isOneColumn) ??
    candidates.find(({ agreeing }) => agreeing > 0);
  return found?.delimiter ?? ',';
}

function evaluate(text: string, delimiter: CsvDelimiter, isWhole: boolean): Candidate {
  const { records, isBroken } = splitSample(text, delimiter, isWhole);
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
    isTableBelow: isTable(below) && (width > 1 || isHeader(below[0] ?? [])),
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

function splitSample(text: string, delimiter: CsvDelimiter, isWhole: boolean): Sample {
  const records: string[][] = [];
  const take = (cells: string[]) => {
    if (records.length < MAX_RECORDS) records.push(cells);
  };
  const tokenizer = new CsvTokenizer(delimiter, take, {
    sameWidth: false,
    maxCellLength: MAX_CSV_CELL,
    maxColumns: MAX_CSV_COLUMNS,
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

const SEP_LINE = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

interface SepLine {
  /** Null if there is no such line. */
  readonly delimiter: CsvDelimiter | null;
  /** The text after the line. */
  readonly rest: string;
}

/** Reads a first line such as `sep=;`, which names the delimiter for spreadsheets and is neither a header nor a row. */
export function readSepLine(text: string): SepLine {
  const [line, sign] = SEP_LINE.exec(text) ?? [];
  if (line === undefined) return { delimiter: null, rest: text };
  const delimiter = CSV_DELIMITERS.find((known) => known === sign);
  if (delimiter === undefined) {
    throw lineFault(1, `sep= names ${JSON.stringify(sign)}, which is not a supported delimiter. Use , ; tab or |.`);
  }
  return { delimiter, rest: text.slice(line.length) };
}
