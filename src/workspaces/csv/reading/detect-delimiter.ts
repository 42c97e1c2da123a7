import { CSV_DELIMITERS, type CsvDelimiter, MAX_CSV_CELL, MAX_CSV_COLUMNS } from '../../../contract/csv-vocabulary.ts';
import { detectDelimiter as detectDelimiterOf } from '../../../platform/csv/detect-delimiter.ts';
import { lineFault } from '../../faults.ts';
import { isNumberOrTime } from './header.ts';

/**
 * Returns the delimiter of the text of a file.
 *
 * @param isWhole whether the text is complete. Otherwise it may end in the middle of a record.
 */
export function detectDelimiter(text: string, isWhole: boolean): CsvDelimiter {
  return detectDelimiterOf(text, {
    isWhole,
    isNumberOrTime,
    maxCellLength: MAX_CSV_CELL,
    maxColumns: MAX_CSV_COLUMNS,
  });
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
