import { type CsvDateOrder, type CsvDelimiter, type CsvEncoding, MAX_CSV_ROWS } from '../../../contract/index.ts';
import { detectDelimiter } from './detect-delimiter.ts';
import { lineFault } from './line-fault.ts';
import { isHeader, nameColumns } from './name-columns.ts';
import { readSepLine } from './sep-line.ts';
import { EncodedText } from './text-decoder.ts';
import { CsvTokenizer, type TakeRecord } from './tokenizer.ts';
import { UnreadableBytes } from './unreadable-bytes.ts';

/** Characters from which the delimiter is told. */
const SAMPLE = 64 * 1024;

/** No text has them; two of them keep cells and rows apart in storage. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

/** What the uploader says of a file; null: to be found out. */
export interface DeclaredCsv {
  readonly encoding: CsvEncoding | null;
  readonly header: 'present' | 'absent' | null;
  readonly delimiter: CsvDelimiter | null;
  readonly dates: CsvDateOrder | null;
}

/** How a file is written. */
export interface CsvOutline {
  readonly encoding: CsvEncoding;
  readonly delimiter: CsvDelimiter;
  readonly hasHeader: boolean;
  readonly names: readonly string[];
  readonly rows: number;
}

/**
 * Reads a file as its bytes come, in memory that does not grow with it. What is wrong is thrown as a fault that names
 * the line.
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

  /** @param take gets every row, the header not among them; `names` is known by then */
  constructor(declared: DeclaredCsv, take: TakeRecord) {
    this.#declared = declared;
    this.#take = take;
    this.#text = new EncodedText(declared.encoding);
  }

  get names(): readonly string[] {
    return this.#names ?? [];
  }

  push(bytes: Buffer): void {
    this.#decode((take) => this.#text.push(bytes, take));
  }

  end(): CsvOutline {
    this.#decode((take) => this.#text.end(take));
    const tokenizer = this.#tokenizer ?? this.#begin(true);
    tokenizer.end();
    if (this.#names === null) throw lineFault(1, 'the file is empty.');
    if (this.#rows === 0) throw lineFault(tokenizer.line, 'there is no row below the header.');
    const { names } = this;
    const [delimiter, hasHeader, rows] = [this.#delimiter, this.#hasHeader, this.#rows];
    return { encoding: this.#text.encoding, delimiter, hasHeader, names, rows };
  }

  #decode(run: (take: (text: string) => void) => void): void {
    try {
      run((text) => this.#read(text));
    } catch (error) {
      if (!(error instanceof UnreadableBytes)) throw error;
      // What comes before is read first, so that the line is known; it may hold an earlier mistake.
      const tokenizer = this.#tokenizer ?? this.#begin(false);
      throw lineFault(tokenizer.line, error.message);
    }
  }

  #read(text: string): void {
    const control = CONTROL.exec(text);
    const readable = control === null ? text : text.slice(0, control.index);
    if (this.#tokenizer !== null) this.#tokenizer.push(readable);
    else {
      this.#sample += readable;
      if (this.#sample.length >= SAMPLE) this.#begin(false);
    }
    if (control !== null) throw new UnreadableBytes(sayControl(control[0]));
  }

  #begin(isWhole: boolean): CsvTokenizer {
    const { delimiter, rest } = readSepLine(this.#sample);
    this.#delimiter = this.#declared.delimiter ?? delimiter ?? detectDelimiter(rest, isWhole);
    this.#tokenizer = new CsvTokenizer(this.#delimiter, (cells, line) => this.#record(cells, line), {
      sameWidth: true,
      firstLine: delimiter === null ? 1 : 2,
    });
    this.#sample = '';
    this.#tokenizer.push(rest);
    return this.#tokenizer;
  }

  #record(cells: string[], line: number): void {
    if (this.#names === null) {
      const { header } = this.#declared;
      this.#hasHeader = header === null ? isHeader(cells) : header === 'present';
      this.#names = nameColumns(this.#hasHeader ? cells : cells.map(() => ''), line);
      if (this.#hasHeader) return;
    }
    this.#rows++;
    if (this.#rows > MAX_CSV_ROWS) throw lineFault(line, `there are more than ${MAX_CSV_ROWS} rows.`);
    this.#take(cells, line);
  }
}

function sayControl(char: string): string {
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `there is a control character (U+${code}). Is this a text file? Save it as CSV in UTF-8.`;
}
