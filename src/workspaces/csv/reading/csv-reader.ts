import {
  type CsvDateOrder,
  type CsvDelimiter,
  type CsvEncoding,
  MAX_CSV_CELL,
  MAX_CSV_COLUMNS,
  MAX_CSV_ROWS,
} from '../../../contract/csv-vocabulary.ts';
import { CsvError, CsvTokenizer, type TakeRecord } from '../../../platform/csv/tokenizer.ts';
import { lineFault } from '../../faults.ts';
import { UnreadableBytes } from './byte-decoders.ts';
import { detectDelimiter, readSepLine } from './detect-delimiter.ts';
import { EncodedText } from './encoded-text.ts';
import { isHeader, nameColumns } from './header.ts';

/** Number of characters from which the delimiter is detected. */
const SAMPLE_LENGTH = 64 * 1024;

/** Control characters that text does not contain. Two of them separate cells and rows in the database. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

/** The properties of a file that were declared with the upload; null for those to detect. */
export interface DeclaredCsv {
  readonly encoding: CsvEncoding | null;
  readonly header: 'present' | 'absent' | null;
  readonly delimiter: CsvDelimiter | null;
  readonly dates: CsvDateOrder | null;
}

/** The properties of a file that are known once it has been read. */
export interface CsvOutline {
  readonly encoding: CsvEncoding;
  readonly delimiter: CsvDelimiter;
  readonly hasHeader: boolean;
  readonly names: readonly string[];
  readonly rows: number;
}

/**
 * Reads a file as its bytes arrive. Its memory use does not depend on the size of the file. Throws faults that name the
 * line.
 */
export class CsvReader {
  readonly #text: EncodedText;
  readonly #declared: DeclaredCsv;
  readonly #take: TakeRecord;
  #sample = '';
  #tokenizer: CsvTokenizer | null = null;
  #delimiter: CsvDelimiter = ',';
  #hasHeader = true;
  #names: readonly string[] | null = null;
  #rows = 0;

  /** @param take receives every row except the header. `names` is set when it is called. */
  constructor(declared: DeclaredCsv, take: TakeRecord) {
    this.#declared = declared;
    this.#take = take;
    this.#text = new EncodedText(declared.encoding);
  }

  get names(): readonly string[] {
    return this.#names ?? [];
  }

  push(bytes: Buffer): void {
    withLineFaults(() => this.#decode((take) => this.#text.push(bytes, take)));
  }

  end(): CsvOutline {
    return withLineFaults(() => this.#end());
  }

  #end(): CsvOutline {
    this.#decode((take) => this.#text.end(take));
    const tokenizer = this.#tokenizer ?? this.#begin(true);
    tokenizer.end();
    if (this.#names === null) throw lineFault(1, 'the file is empty.');
    if (this.#rows === 0) throw lineFault(tokenizer.line, 'the file has no row below the header.');
    const { names } = this;
    const [delimiter, hasHeader, rows] = [this.#delimiter, this.#hasHeader, this.#rows];
    return { encoding: this.#text.encoding, delimiter, hasHeader, names, rows };
  }

  #decode(run: (take: (text: string) => void) => void): void {
    try {
      run((text) => this.#read(text));
    } catch (error) {
      if (!(error instanceof UnreadableBytes)) throw error;
      // The text before these bytes is read first, because it determines the line and may contain an earlier mistake.
      const tokenizer = this.#tokenizer ?? this.#begin(false);
      throw lineFault(tokenizer.line, error.message);
    }
  }

  #read(text: string): void {
    const control = CONTROL_CHARACTER.exec(text);
    const readable = control === null ? text : text.slice(0, control.index);
    if (this.#tokenizer !== null) this.#tokenizer.push(readable);
    else {
      this.#sample += readable;
      if (this.#sample.length >= SAMPLE_LENGTH) this.#begin(false);
    }
    if (control !== null) throw new UnreadableBytes(formatControlCharacter(control[0]));
  }

  #begin(isWhole: boolean): CsvTokenizer {
    const { delimiter, rest } = readSepLine(this.#sample);
    this.#delimiter = this.#declared.delimiter ?? delimiter ?? detectDelimiter(rest, isWhole);
    this.#tokenizer = new CsvTokenizer(this.#delimiter, (cells, line) => this.#takeRecord(cells, line), {
      sameWidth: true,
      firstLine: delimiter === null ? 1 : 2,
      maxCellLength: MAX_CSV_CELL,
      maxColumns: MAX_CSV_COLUMNS,
    });
    this.#sample = '';
    this.#tokenizer.push(rest);
    return this.#tokenizer;
  }

  #takeRecord(cells: string[], line: number): void {
    if (this.#names === null) {
      const { header } = this.#declared;
      this.#hasHeader = header === null ? isHeader(cells) : header === 'present';
      this.#names = nameColumns(this.#hasHeader ? cells : cells.map(() => ''), line);
      if (this.#hasHeader) return;
    }
    this.#rows++;
    if (this.#rows > MAX_CSV_ROWS) throw lineFault(line, `the file has more than ${MAX_CSV_ROWS} rows.`);
    this.#take(cells, line);
  }
}

function formatControlCharacter(char: string): string {
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `there is a control character (U+${code}). Is this a text file? Save it as CSV in UTF-8.`;
}

/** Turns the errors of the tokenizer into faults. */
function withLineFaults<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof CsvError ? lineFault(error.line, error.message) : error;
  }
}
