import { type CsvDelimiter, MAX_CSV_CELL, MAX_CSV_COLUMNS } from '../../../contract/index.ts';
import { lineFault } from './line-fault.ts';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Gets each record with the line it begins on. */
export type TakeRecord = (cells: string[], line: number) => void;

type State = 'start' | 'bare' | 'quoted' | 'closed';

/**
 * Splits text into records as it comes (RFC 4180, with CRLF, LF or CR at the end of lines). It keeps no more than the
 * record that is being read. Lines with nothing on them are passed over. A misplaced quote is refused rather than
 * guessed at: a wrong guess swallows rows.
 */
export class CsvTokenizer {
  readonly #delimiter: number;
  readonly #take: TakeRecord;
  #width: number | null;
  #state: State = 'start';
  #cell = '';
  #cells: string[] = [];
  /** Of the record, those included that are more than there are columns. */
  #count = 0;
  #line: number;
  #recordLine: number;
  #cellLine: number;
  #afterCr = false;

  /**
   * @param sameWidth whether every record must have as many cells as the first one
   * @param firstLine the line that the text begins with
   */
  constructor(
    delimiter: CsvDelimiter,
    take: TakeRecord,
    { sameWidth, firstLine = 1 }: { readonly sameWidth: boolean; readonly firstLine?: number },
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#take = take;
    this.#width = sameWidth ? null : Number.NaN;
    this.#line = firstLine;
    this.#recordLine = firstLine;
    this.#cellLine = firstLine;
  }

  /** The line that is being read. */
  get line(): number {
    return this.#line;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      at = this.#state === 'quoted' ? this.#readQuoted(text, at) : this.#readOutside(text, at);
    }
  }

  end(): void {
    if (this.#state === 'quoted') {
      throw lineFault(this.#cellLine, 'a cell begins with a quote here and its closing quote never comes.');
    }
    if (this.#state !== 'start' || this.#count > 0) this.#endRecord();
  }

  /** Reads a quoted cell up to a quote or the end of the text. @returns where to go on */
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
      if (this.#state !== 'start' || this.#count > 0) this.#endRecord();
      this.#line++;
      this.#recordLine = this.#line;
    } else if (code === QUOTE) this.#meetQuote();
    else return this.#readBare(text, from);
    return from + 1;
  }

  #readBare(text: string, from: number): number {
    if (this.#state === 'closed') {
      throw lineFault(
        this.#line,
        'something stands between the closing quote of a cell and the next delimiter. A quote inside a quoted cell is written twice.',
      );
    }
    let to = from + 1;
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to);
      if (code === this.#delimiter || code === LF || code === CR || code === QUOTE) break;
    }
    this.#state = 'bare';
    this.#append(text.slice(from, to));
    return to;
  }

  #meetQuote(): void {
    if (this.#state === 'bare') {
      throw lineFault(
        this.#line,
        'a quote stands inside a cell that does not begin with one. Put the whole cell in quotes and write the quotes in it twice.',
      );
    }
    // The second of two: one quote, in a cell that goes on.
    if (this.#state === 'closed') this.#append('"');
    else this.#cellLine = this.#line;
    this.#state = 'quoted';
  }

  #append(text: string): void {
    this.#cell += text;
    if (this.#cell.length <= MAX_CSV_CELL) return;
    const begun = this.#state === 'quoted' ? this.#cellLine : this.#line;
    const hint = this.#state === 'quoted' ? ' Is its closing quote missing?' : '';
    throw lineFault(begun, `a cell has more than ${MAX_CSV_CELL} characters.${hint}`);
  }

  #endCell(): void {
    this.#count++;
    if (this.#count <= MAX_CSV_COLUMNS) this.#cells.push(this.#cell);
    else if (this.#width === null) {
      throw lineFault(this.#recordLine, `there are more than ${MAX_CSV_COLUMNS} columns.`);
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
      throw lineFault(this.#recordLine, `${sayCells(count)}, where the first line has ${this.#width}.`);
    }
    this.#take(cells, this.#recordLine);
  }
}

function sayCells(count: number): string {
  return count === 1 ? 'there is 1 cell' : `there are ${count} cells`;
}
