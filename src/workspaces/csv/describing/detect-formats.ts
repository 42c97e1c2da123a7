import type { CsvDateOrder } from '../../../contract/index.ts';
import { isPlainInteger, type NumberFormat, parseNumberIn } from '../cells/numbers.ts';
import { parseTimeIn, TIME_FORMATS, type TimeFormat } from '../cells/times.ts';

/** A cell and its line. */
export interface CellAt {
  readonly line: number;
  /** The beginning of the cell. */
  readonly cell: string;
}

/** A cell that fits no format. If it is not the first of its column, some format fits the cells above it. */
export interface UnfitCell extends CellAt {
  readonly isFirst?: boolean;
}

/** The format that fits every cell of a column, or the first cell that prevents it. It is stored with the file. */
export type DetectedFormat<Format extends string> =
  | { readonly kind: 'read'; readonly format: Format }
  /** Several formats fit every cell, with different results. The cell is the first whose results differ. */
  | ({ readonly kind: 'ambiguous' } & CellAt)
  /** No format fits every cell. The cell is the first that does not fit the formats of the cells above it. */
  | ({ readonly kind: 'none' } & UnfitCell);

const MAX_STORED_LENGTH = 60;

/** Returns a cell with its line, shortened if it is long, to be stored and shown. */
export function cellAt(cell: string, line: number): CellAt {
  return { line, cell: cell.slice(0, MAX_STORED_LENGTH).toWellFormed() };
}

/** A column of text is told from one with mistakes by so many cells. */
const MIN_MISFITS = 16;
/** A column with mistakes has at least so many cells for each of them. */
const CELLS_PER_MISFIT = 4;

/** Counts the cells that fit no format, until they are too many to be mistakes. */
class Misfits {
  #cells = 0;
  #misfits = 0;

  /** @param fits is called only while the answer matters, because it takes time */
  add(fits: () => boolean): void {
    this.#cells++;
    if (!this.#areMany && !fits()) this.#misfits++;
  }

  get #areMany(): boolean {
    return this.#misfits >= MIN_MISFITS && !this.areFew;
  }

  get areFew(): boolean {
    return this.#misfits > 0 && this.#misfits * CELLS_PER_MISFIT <= this.#cells;
  }
}

/**
 * Finds the format in which every cell of a column is a number. If both formats fit every cell and some cell is a
 * different number in each (1,234), the format is ambiguous.
 */
export class NumberFormatDetector {
  #point = true;
  #comma = true;
  #differing: CellAt | null = null;
  #unfit: UnfitCell | null = null;
  #isFirst = true;
  readonly #misfits = new Misfits();

  /** Whether nearly all cells are numbers, but not all. */
  get isNearlyRead(): boolean {
    return this.#unfit !== null && this.#misfits.areFew;
  }

  get #isPossible(): boolean {
    return this.#point || this.#comma;
  }

  add(cell: string, line: number): void {
    const isInteger = isPlainInteger(cell);
    const wasPossible = this.#isPossible;
    if (wasPossible && !isInteger) this.#tryFormats(cell, line);
    this.#misfits.add(() => isInteger || (wasPossible ? this.#isPossible : isNumber(cell)));
    this.#isFirst = false;
  }

  #tryFormats(cell: string, line: number): void {
    const point = this.#point ? parseNumberIn(cell, 'decimal_point') : null;
    const comma = this.#comma ? parseNumberIn(cell, 'decimal_comma') : null;
    this.#point = point !== null;
    this.#comma = comma !== null;
    if (!this.#isPossible) this.#unfit = { ...cellAt(cell, line), isFirst: this.#isFirst };
    else if (point !== null && comma !== null && point !== comma) this.#differing ??= cellAt(cell, line);
  }

  result(): DetectedFormat<NumberFormat> {
    if (this.#unfit !== null) return { kind: 'none', ...this.#unfit };
    if (this.#point && this.#comma && this.#differing !== null) return { kind: 'ambiguous', ...this.#differing };
    return { kind: 'read', format: this.#point ? 'decimal_point' : 'decimal_comma' };
  }
}

function isNumber(cell: string): boolean {
  return parseNumberIn(cell, 'decimal_point') !== null || parseNumberIn(cell, 'decimal_comma') !== null;
}

/** Dates with dots: no country writes the month before the day in them. */
const DOTTED = /^\d{1,2}\.\d{1,2}\./;

/** The order of the times of a column. */
export type TimeOrder = 'ascending' | 'descending';

/**
 * Finds the format in which every cell of a column is a time. Dates such as 01/02/2024 are read only if some cell
 * (13/02/2024) rules out one order of day and month, or if both orders give the same days.
 */
export class TimeFormatDetector {
  #possible: TimeFormat[];
  #isFirst = true;
  #differing: CellAt | null = null;
  #unfit: UnfitCell | null = null;
  #last: number | null = null;
  #isAscending = true;
  #isDescending = true;
  #hasDots = true;
  /** The formats of the cells above the first that does not fit. */
  #formats: readonly TimeFormat[] = TIME_FORMATS;
  readonly #misfits = new Misfits();

  /** @param dates the declared order of day and month in dates such as 01/02/2024, or null to detect it */
  constructor(dates: CsvDateOrder | null = null) {
    const excluded = dates && (dates === 'day_first' ? 'month_first' : 'day_first');
    this.#possible = TIME_FORMATS.filter((format) => format !== excluded);
  }

  /**
   * The order of the times, if it is strict. Null if a cell could be read in two ways, because the order of earlier cells
   * was then found in a format that may have been excluded later.
   */
  get order(): TimeOrder | null {
    if (this.#differing !== null || this.#last === null) return null;
    if (this.#isAscending) return 'ascending';
    return this.#isDescending ? 'descending' : null;
  }

  /** Whether nearly all cells are times, but not all. */
  get isNearlyRead(): boolean {
    return this.#unfit !== null && this.#misfits.areFew;
  }

  /** Whether the times are strictly ascending or strictly descending. */
  get isMonotonic(): boolean {
    return this.#isAscending || this.#isDescending;
  }

  /** Returns whether some format fits all cells so far and also these. */
  fits(cells: readonly string[]): boolean {
    return this.#possible.some((format) => cells.every((cell) => parseTimeIn(cell, format) !== null));
  }

  add(cell: string, line: number): void {
    if (this.#possible.length === 1) this.#tryOnlyFormat(this.#possible[0] as TimeFormat, cell, line);
    else if (this.#possible.length > 0) this.#tryFormats(cell, line);
    else {
      this.#misfits.add(() => this.#formats.some((format) => parseTimeIn(cell, format) !== null));
      return;
    }
    this.#misfits.add(() => this.#unfit === null);
    this.#isFirst = false;
  }

  /** Tries the only remaining format. This happens for most cells of a column of times, so it allocates nothing. */
  #tryOnlyFormat(format: TimeFormat, cell: string, line: number): void {
    const time = parseTimeIn(cell, format);
    if (time !== null) this.#trackOrder(time);
    else this.#setUnfit(cell, line);
  }

  #tryFormats(cell: string, line: number): void {
    const times = this.#possible.map((format) => parseTimeIn(cell, format));
    if (times.every((time) => time === null)) {
      this.#setUnfit(cell, line);
      return;
    }
    if (times.includes(null)) this.#possible = this.#possible.filter((_, index) => times[index] !== null);
    const fitting = times.filter((time) => time !== null);
    this.#hasDots &&= DOTTED.test(cell);
    if (new Set(fitting).size > 1) this.#differing ??= cellAt(cell, line);
    this.#trackOrder(fitting[0] as number);
  }

  result(): DetectedFormat<TimeFormat> {
    if (this.#unfit !== null) return { kind: 'none', ...this.#unfit };
    if (this.#possible.length > 1 && this.#differing !== null && !this.#hasDots) {
      return { kind: 'ambiguous', ...this.#differing };
    }
    return { kind: 'read', format: this.#possible[0] as TimeFormat };
  }

  #setUnfit(cell: string, line: number): void {
    if (!this.#isFirst) this.#formats = this.#possible;
    this.#possible = [];
    this.#unfit = { ...cellAt(cell, line), isFirst: this.#isFirst };
  }

  #trackOrder(time: number): void {
    if (this.#last !== null && time <= this.#last) this.#isAscending = false;
    if (this.#last !== null && time >= this.#last) this.#isDescending = false;
    this.#last = time;
  }
}
