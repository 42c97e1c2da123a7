import { CSV_DELIMITERS, type CsvDelimiter } from '../../../contract/index.ts';
import { lineFault } from './line-fault.ts';

const SEP_LINE = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

export interface SepLine {
  /** Null: there is no such line. */
  readonly delimiter: CsvDelimiter | null;
  /** What comes after it. */
  readonly rest: string;
}

/** The first line by which spreadsheets tell each other the delimiter: sep=; It is neither a header nor a row. */
export function readSepLine(text: string): SepLine {
  const [line, sign] = SEP_LINE.exec(text) ?? [];
  if (line === undefined) return { delimiter: null, rest: text };
  const delimiter = CSV_DELIMITERS.find((one) => one === sign);
  if (delimiter === undefined)
    throw lineFault(1, `sep= names ${JSON.stringify(sign)}, which is none of , ; tab and |.`);
  return { delimiter, rest: text.slice(line.length) };
}
