/**
 * The error for a string that is not valid CSV. Its message does not name the line; `line` is the number of the line,
 * counted from 1.
 */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;

  constructor(line: number, finding: string) {
    super(finding);
    this.line = line;
  }
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Receives a record and the line on which it begins.
 *
 * @param count the number of its cells, including those beyond the column limit, which `cells` does not have
 */
export type TakeRecord = (cells: string[], line: number, count: number) => void;

export interface CsvTokenizerOptions {
  /** Whether every record must have the same number of cells as the first one. */
  readonly sameWidth: boolean;
  /** The number of the first line. Default: 1. */
  readonly firstLine?: number;
  /** Whether empty lines are ignored. Otherwise each is a record with one empty cell. Default: true. */
  readonly skipEmptyLines?: boolean;
  readonly maxCellLength?: number;
  readonly maxColumns?: number;
}

type State = 'start' | 'unquoted' | 'quoted' | 'closed';

/**
 * Splits text into records as it arrives (RFC 4180; lines end with CRLF, LF or CR). It keeps only the current record in
 * memory. A misplaced quote is an error, because a wrong guess about it could merge many rows into one cell.
 */
export class CsvTokenizer {
  readonly #delimiter: number;
  readonly #take: TakeRecord;
  readonly #skipEmptyLines: boolean;
  readonly #maxCellLength: number;
  readonly #maxColumns: number;
  #width: number | null;
  #state: State = 'start';
  #cell = '';
  #cells: string[] = [];
  /** Number of cells of the record, including those beyond the column limit. */
  #count = 0;
  #line: number;
  #recordLine: number;
  #cellLine: number;
  #afterCr = false;

  constructor(
    delimiter: string,
    take: TakeRecord,
    {
      sameWidth,
      firstLine = 1,
      skipEmptyLines = true,
      maxCellLength = Number.POSITIVE_INFINITY,
      maxColumns = Number.POSITIVE_INFINITY,
    }: CsvTokenizerOptions,
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#take = take;
    this.#skipEmptyLines = skipEmptyLines;
    this.#maxCellLength = maxCellLength;
    this.#maxColumns = maxColumns;
    this.#width = sameWidth ? null : Number.NaN;
    this.#line = firstLine;
    this.#recordLine = firstLine;
    this.#cellLine = firstLine;
  }

  /** The number of the current line. */
  get line(): number {
    return this.#line;
  }

  /** The beginning of the current record, up to where reading stopped. A cell that is still open begins with its quote. */
  get partial(): string {
    const cell = this.#state === 'quoted' ? `"${this.#cell}` : this.#cell;
    return [...this.#cells, cell].join(String.fromCharCode(this.#delimiter));
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      at = this.#state === 'quoted' ? this.#readQuoted(text, at) : this.#readOutside(text, at);
    }
  }

  end(): void {
    if (this.#state === 'quoted') {
      throw new CsvError(this.#cellLine, 'the quote that opens a cell here is never closed.');
    }
    if (this.#state !== 'start' || this.#count > 0) this.#endRecord();
  }

  /** Reads a quoted cell up to a quote or the end of the text. Returns the position at which to continue. */
  #readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const to = quote < 0 ? text.length : quote;
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code === CR || (code === LF && !this.#afterCr)) this.#line++;
      this.#afterCr = code === CR;
    }
    this.#append(text.slice(from, to));
    if (quote < 0) return to;
    this.#afterCr = false;
    this.#state = 'closed';
    return quote + 1;
  }

  #readOutside(text: string, from: number): number {
    const code = text.charCodeAt(from);
    if (code === LF && this.#afterCr) {
      this.#afterCr = false;
      return from + 1;
    }
    this.#afterCr = code === CR;
    if (code === this.#delimiter) this.#endCell();
    else if (code === CR || code === LF) {
      if (!this.#skipEmptyLines || this.#state !== 'start' || this.#count > 0) this.#endRecord();
      this.#line++;
      this.#recordLine = this.#line;
    } else if (code === QUOTE) this.#readQuote();
    else return this.#readUnquoted(text, from);
    return from + 1;
  }

  #readUnquoted(text: string, from: number): number {
    if (this.#state === 'closed') {
      throw new CsvError(
        this.#line,
        'text follows the closing quote of a cell. Write a quote inside a quoted cell twice.',
      );
    }
    let to = from + 1;
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to);
      if (code === this.#delimiter || code === LF || code === CR || code === QUOTE) break;
    }
    this.#state = 'unquoted';
    this.#append(text.slice(from, to));
    return to;
  }

  #readQuote(): void {
    if (this.#state === 'unquoted') {
      throw new CsvError(
        this.#line,
        'a quote appears inside an unquoted cell. Quote the whole cell and write each quote in it twice.',
      );
    }
    // This is the second of two quotes, which together stand for one quote. The cell continues.
    if (this.#state === 'closed') this.#append('"');
    else this.#cellLine = this.#line;
    this.#state = 'quoted';
  }

  #append(text: string): void {
    this.#cell += text;
    if (this.#cell.length <= this.#maxCellLength) return;
    const line = this.#state === 'quoted' ? this.#cellLine : this.#line;
    const hint = this.#state === 'quoted' ? ' Is its closing quote missing?' : '';
    throw new CsvError(line, `a cell has more than ${this.#maxCellLength} characters.${hint}`);
  }

  #endCell(): void {
    this.#count++;
    if (this.#count <= this.#maxColumns) this.#cells.push(this.#cell);
    else if (this.#width === null) {
      throw new CsvError(this.#recordLine, `there are more than ${this.#maxColumns} columns.`);
    }
    this.#cell = '';
    this.#state = 'start';
  }

  #endRecord(): void {
    this.#endCell();
    const [cells, count] = [this.#cells, this.#count];
    this.#cells = [];
    this.#count = 0;
    this.#width ??= count;
    if (count !== this.#width && !Number.isNaN(this.#width)) {
      throw new CsvError(this.#recordLine, `${formatCells(count)}, but the first line has ${this.#width}.`);
    }
    this.#take(cells, this.#recordLine, count);
  }
}

function formatCells(count: number): string {
  return count === 1 ? 'there is 1 cell' : `there are ${count} cells`;
}
