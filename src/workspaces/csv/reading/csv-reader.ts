import {
  CSV_DELIMITERS,
  type CsvDateOrder,
  type CsvDelimiter,
  type CsvEncoding,
  MAX_CSV_CELL,
  MAX_CSV_COLUMNS,
  MAX_CSV_ROWS,
} from '../../../contract/csv-vocabulary.ts';
import { CsvError, CsvTokenizer } from '../../../platform/csv/tokenizer.ts';
import { lineFault } from '../../faults.ts';
import { UnreadableBytes } from './byte-decoders.ts';
import { detectDelimiter, readSepLine } from './detect-delimiter.ts';
import { EncodedText } from './encoded-text.ts';
import { isHeader, nameColumns } from './header.ts';
import { MAX_SKIPPED, type Record, type SkippedLine, skippedLine } from './skipped-lines.ts';
import { findTable, isEven, type TableStart } from './table-start.ts';

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
  /** The lines that are not part of the table, in the order of the file. */
  readonly skipped: readonly SkippedLine[];
}

/** Receives a row and the line on which it begins. */
type TakeRow = (cells: string[], line: number) => void;

/** Returns how many of the last rows are rows of the table. Those after them are footer rows. */
export type CountBody = (rows: readonly Record[]) => number;

/**
 * Reads a file as its bytes arrive. Its memory use does not depend on the size of the file. Throws faults that name the
 * line.
 */
export class CsvReader {
  readonly #text: EncodedText;
  readonly #declared: DeclaredCsv;
  readonly #take: TakeRow;
  #sample = '';
  #tokenizer: CsvTokenizer | null = null;
  #delimiter: CsvDelimiter = ',';
  #hasHeader = true;
  #names: readonly string[] | null = null;
  #rows = 0;
  readonly #countBody: CountBody;
  #start: TableStart = { titles: 0, hasUnits: false };
  #records = 0;
  /** The last rows, which may turn out to be a footer. */
  #held: Record[] = [];
  readonly #skipped: SkippedLine[] = [];

  /**
   * @param take receives every row except the header. `names` is set when it is called.
   * @param countBody separates the footer from the last rows; without it, there is none
   */
  constructor(declared: DeclaredCsv, take: TakeRow, countBody: CountBody = ({ length }) => length) {
    this.#declared = declared;
    this.#take = take;
    this.#countBody = countBody;
    this.#text = new EncodedText(declared.encoding);
  }

  get names(): readonly string[] {
    return this.#names ?? [];
  }

  push(bytes: Buffer): void {
    this.#withLineFaults(() => this.#decode((take) => this.#text.push(bytes, take)));
  }

  end(): CsvOutline {
    return this.#withLineFaults(() => this.#end());
  }

  /** Turns the errors of the tokenizer into faults. A row of another width above them is the first mistake. */
  #withLineFaults<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      for (const row of this.#held) this.#requireWidth(row);
      throw error instanceof CsvError ? lineFault(error.line, error.message, this.#tokenizer?.partial) : error;
    }
  }

  #end(): CsvOutline {
    this.#decode((take) => this.#text.end(take));
    const tokenizer = this.#tokenizer ?? this.#begin(true);
    tokenizer.end();
    this.#endTable();
    if (this.#names === null) throw lineFault(1, 'the file is empty.');
    if (this.#rows === 0) throw lineFault(tokenizer.line, 'the file has no row below the header.');
    const { names } = this;
    const [delimiter, hasHeader, rows] = [this.#delimiter, this.#hasHeader, this.#rows];
    return { encoding: this.#text.encoding, delimiter, hasHeader, names, rows, skipped: this.#skipped };
  }

  #decode(run: (take: (text: string) => void) => void): void {
    try {
      run((text) => this.#read(text));
    } catch (error) {
      if (!(error instanceof UnreadableBytes)) throw error;
      // The text before these bytes is read first, because it determines the line and may contain an earlier mistake.
      const tokenizer = this.#tokenizer ?? this.#begin(false);
      throw lineFault(tokenizer.line, error.message, tokenizer.partial);
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
    this.#delimiter = this.#declared.delimiter ?? delimiter ?? this.#detectDelimiter(rest, isWhole);
    this.#start = findTable(rest, this.#delimiter, { isWhole, header: this.#declared.header });
    this.#tokenizer = new CsvTokenizer(
      this.#delimiter,
      (cells, line, count) => this.#takeRecord({ cells, line, count }),
      {
        sameWidth: false,
        firstLine: delimiter === null ? 1 : 2,
        maxCellLength: MAX_CSV_CELL,
        maxColumns: MAX_CSV_COLUMNS,
      },
    );
    this.#sample = '';
    this.#tokenizer.push(rest);
    return this.#tokenizer;
  }

  /** Returns the delimiter of the text. Titles above the table can hide it, so a table below them decides. */
  #detectDelimiter(text: string, isWhole: boolean): CsvDelimiter {
    const best = detectDelimiter(text, isWhole);
    const options = { isWhole, header: this.#declared.header };
    if (isEven(text, best, options)) return best;
    return CSV_DELIMITERS.find((delimiter) => findTable(text, delimiter, options).titles > 0) ?? best;
  }

  #takeRecord(row: Record): void {
    const { cells, line, count } = row;
    const record = this.#records++;
    if (record < this.#start.titles) {
      this.#skip('title', row);
      return;
    }
    if (this.#names === null) {
      if (count > MAX_CSV_COLUMNS) throw lineFault(line, `there are more than ${MAX_CSV_COLUMNS} columns.`);
      const { header } = this.#declared;
      this.#hasHeader = header === null ? isHeader(cells) : header === 'present';
      this.#names = nameColumns(this.#hasHeader ? cells : cells.map(() => ''), line);
      if (this.#hasHeader) return;
    } else if (this.#start.hasUnits && record === this.#start.titles + 1) {
      this.#skip('units', row);
      return;
    }
    this.#held.push(row);
    if (this.#held.length <= MAX_SKIPPED + 1) return;
    this.#takeRow(this.#held[0] as Record);
    this.#held.shift();
  }

  /** Separates the footer, at the end of the file. */
  #endTable(): void {
    const [held, body] = [this.#held, this.#countBody(this.#held)];
    this.#held = [];
    for (const row of held.slice(0, body)) this.#takeRow(row);
    for (const row of held.slice(body)) this.#skip('footer', row);
  }

  #takeRow(row: Record): void {
    this.#requireWidth(row);
    this.#rows++;
    if (this.#rows > MAX_CSV_ROWS) throw lineFault(row.line, `the file has more than ${MAX_CSV_ROWS} rows.`);
    this.#take(row.cells, row.line);
  }

  #requireWidth({ cells, line, count }: Record): void {
    const width = this.names.length;
    if (count === width) return;
    const found = count === 1 ? 'there is 1 cell' : `there are ${count} cells`;
    const first = this.#start.titles > 0 ? 'the header' : 'the first line';
    throw lineFault(line, `${found}, but ${first} has ${width}.`, cells.join(this.#delimiter));
  }

  #skip(kind: SkippedLine['kind'], row: Record): void {
    const skipped = skippedLine(kind, row, this.#delimiter);
    if (skipped !== null) this.#skipped.push(skipped);
  }
}

function formatControlCharacter(char: string): string {
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `there is a control character (U+${code}). Is this a text file? Save it as CSV in UTF-8.`;
}
