import { CSV_DELIMITERS, type CsvDelimiter, Fault } from '../../../contract/index.ts';
import { looksTyped } from '../cells/looks-typed.ts';
import { CsvTokenizer } from './tokenizer.ts';

/** Records that are looked at. */
const MOST_RECORDS = 100;

interface Candidate {
  readonly delimiter: CsvDelimiter;
  /** The share of records that have as many cells as the first, more than one. */
  readonly agreeing: number;
  /** The share of cells below the first line that are numbers or times. */
  readonly typed: number;
  readonly width: number;
}

/**
 * The delimiter of a text: the one by which the most records have as many cells as the first (more than one); among
 * equals the one by which more cells are numbers or times, then the one that gives more columns, then the one that comes
 * first in `, ; tab |`. A text in which none does is read with commas.
 *
 * @param isWhole whether the text ends here, or may break off in the middle of a record
 */
export function detectDelimiter(text: string, isWhole: boolean): CsvDelimiter {
  const candidates = CSV_DELIMITERS.map((delimiter) => judge(text, delimiter, isWhole));
  const [best] = candidates.sort(
    (one, other) => other.agreeing - one.agreeing || other.typed - one.typed || other.width - one.width,
  );
  return best !== undefined && best.agreeing > 0 ? best.delimiter : ',';
}

function judge(text: string, delimiter: CsvDelimiter, isWhole: boolean): Candidate {
  const records: string[][] = [];
  let broken = 0;
  const tokenizer = new CsvTokenizer(
    delimiter,
    (cells) => {
      if (records.length < MOST_RECORDS) records.push(cells);
    },
    { sameWidth: false },
  );
  try {
    tokenizer.push(text);
    if (isWhole || records.length === 0) tokenizer.end();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (records.length < MOST_RECORDS) broken = 1;
  }
  const width = records[0]?.length ?? 0;
  const agreeing = records.filter(({ length }) => length === width).length;
  const cells = records.slice(1).flat();
  return {
    delimiter,
    agreeing: width > 1 ? agreeing / (records.length + broken) : 0,
    typed: cells.length === 0 ? 0 : cells.filter(looksTyped).length / cells.length,
    width,
  };
}
