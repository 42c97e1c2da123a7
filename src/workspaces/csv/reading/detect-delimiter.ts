import { CSV_DELIMITERS, type CsvDelimiter, Fault } from '../../../contract/index.ts';
import { looksTyped } from '../cells/looks-typed.ts';
import { isHeader } from './name-columns.ts';
import { CsvTokenizer } from './tokenizer.ts';

/** Records that are looked at. */
const MAX_RECORDS = 100;

interface Candidate {
  readonly delimiter: CsvDelimiter;
  /** Of the first record. */
  readonly width: number;
  /** The share of the records below it that have as many cells, more than one. */
  readonly agreeing: number;
  /** The share of the cells below it that are numbers or times. */
  readonly typed: number;
  /** Whether every record is one cell. */
  readonly isOneColumn: boolean;
  /** Whether the records below the first are a table of their own, which the first does not fit. */
  readonly isTableBelow: boolean;
}

/**
 * The delimiter of a text: the one by which the most records have as many cells as the first (more than one); among
 * equals the one by which more cells are numbers or times, then the one that gives more columns, then the one that comes
 * first in `, ; tab |`. One by which not even half of them have cuts a single name (`Revenue; EUR`) or sentences: then a
 * text that some other leaves whole is of one column. Unless there is a table below a title, or below a header with too
 * few names: one column of whole lines would hide that.
 *
 * @param isWhole whether the text ends here, or may break off in the middle of a record
 */
export function detectDelimiter(text: string, isWhole: boolean): CsvDelimiter {
  const inOrder = CSV_DELIMITERS.map((delimiter) => judge(text, delimiter, isWhole));
  const candidates = inOrder.toSorted(
    (one, other) => other.agreeing - one.agreeing || other.typed - one.typed || other.width - one.width,
  );
  const [best] = candidates;
  if (best !== undefined && best.agreeing >= 0.5) return best.delimiter;
  const found =
    candidates.find(({ isTableBelow }) => isTableBelow) ??
    inOrder.find(({ isOneColumn }) => isOneColumn) ??
    candidates.find(({ agreeing }) => agreeing > 0);
  return found?.delimiter ?? ',';
}

function judge(text: string, delimiter: CsvDelimiter, isWhole: boolean): Candidate {
  const { records, isBroken } = cut(text, delimiter, isWhole);
  const [first = [], ...below] = records;
  const width = first.length;
  const agreeing = below.filter(({ length }) => length === width).length;
  const judged = below.length + (isBroken ? 1 : 0);
  const cells = below.flat();
  return {
    delimiter,
    width,
    agreeing: width < 2 ? 0 : judged === 0 ? 1 : agreeing / judged,
    typed: cells.length === 0 ? 0 : cells.filter(looksTyped).length / cells.length,
    isOneColumn: !isBroken && records.every(({ length }) => length === 1),
    isTableBelow: isTable(below) && (width > 1 || isHeader(below[0] ?? [])),
  };
}

/** Whether records of more than one cell are all of one width. */
function isTable(records: readonly (readonly string[])[]): boolean {
  const width = records[0]?.length ?? 0;
  return width > 1 && records.every(({ length }) => length === width);
}

interface Cut {
  readonly records: readonly (readonly string[])[];
  /** Whether a quote is out of place before there are records enough. */
  readonly isBroken: boolean;
}

function cut(text: string, delimiter: CsvDelimiter, isWhole: boolean): Cut {
  const records: string[][] = [];
  const take = (cells: string[]) => {
    if (records.length < MAX_RECORDS) records.push(cells);
  };
  const tokenizer = new CsvTokenizer(delimiter, take, { sameWidth: false });
  try {
    tokenizer.push(text);
    if (isWhole || records.length === 0) tokenizer.end();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { records, isBroken: records.length < MAX_RECORDS };
  }
  return { records, isBroken: false };
}
