import type { CsvColumnType, CsvDateOrder, CsvFormat } from '../../../contract/index.ts';
import { quoteCell } from '../../faults.ts';
import { isMissing, type NumberFormat } from '../cells/numbers.ts';
import type { TimeFormat } from '../cells/times.ts';
import {
  type CellAt,
  type DetectedFormat,
  NumberFormatDetector,
  TimeFormatDetector,
  type TimeOrder,
  type UnfitCell,
} from './detect-formats.ts';
import { UnsupportedTimeDetector } from './unsupported-times.ts';

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 100;

/** Common names of columns with the values to forecast. */
const VALUE_NAMES = new Set(
  'value values y close price amount total sales demand count quantity wert preis umsatz menge'.split(' '),
);
/** Names of columns in which a four-digit number is a year, and a long number is seconds since 1970. */
const TIME_NAME =
  /(?<!\p{L})(?:year|yr|date|time|datetime|timestamp|ts|epoch|period|jahr|datum|zeit|zeitstempel|ann[eé]e|a[nñ]o|anno)(?!\p{L})/iu;

export function isValueName(name: string): boolean {
  return VALUE_NAMES.has(name.toLowerCase());
}

/** @example isTimeName('openTime') // true, as for open_time and "Open time" */
export function isTimeName(name: string): boolean {
  return TIME_NAME.test(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** The description of a column, which is stored. */
export interface ColumnDescription {
  readonly name: string;
  readonly type: CsvColumnType;
  readonly format: CsvFormat | null;
  readonly nulls: number;
  readonly examples: readonly string[];
  readonly note: string | null;
  /** Set regardless of the type, because a column of years can be times or numbers. Null if every cell is missing. */
  readonly numbers: DetectedFormat<NumberFormat> | null;
  readonly times: DetectedFormat<TimeFormat> | null;
  /** The order of the times, if they are strictly ordered. Absent in files from earlier versions. */
  readonly order?: TimeOrder;
}

/** Builds the description of a column from its cells. Its memory use does not depend on the number of cells. */
export class ColumnProfile {
  readonly name: string;
  readonly #numbers = new NumberFormatDetector();
  readonly #times: TimeFormatDetector;
  readonly #unsupported = new UnsupportedTimeDetector();
  readonly #examples: string[] = [];
  #nulls = 0;
  #cells = 0;
  #isBoolean = true;

  /** @param dates the order of day and month, if it was declared with the upload */
  constructor(name: string, dates: CsvDateOrder | null = null) {
    this.name = name;
    this.#times = new TimeFormatDetector(dates);
  }

  add(cell: string, line: number): void {
    this.#cells++;
    const trimmed = cell.trim();
    if (isMissing(trimmed)) {
      this.#nulls++;
      return;
    }
    if (this.#examples.length < MAX_EXAMPLES) this.#addExample(trimmed);
    if (this.#isBoolean && !/^(?:true|false)$/i.test(trimmed)) this.#isBoolean = false;
    this.#numbers.add(trimmed, line);
    this.#times.add(trimmed, line);
    this.#unsupported.add(trimmed, line);
  }

  /** The first few values. */
  get examples(): readonly string[] {
    return this.#examples;
  }

  /** Returns the number of cells with a value. */
  countCells(): number {
    return this.#cells - this.#nulls;
  }

  /** Returns whether a cell is a time in one of the formats of all cells above it. */
  canBeTime(cell: string): boolean {
    const trimmed = cell.trim();
    return !isMissing(trimmed) && this.#times.fits([trimmed]);
  }

  /** Returns whether all cells are times, and these as well, in the same format. */
  areTimes(cells: readonly string[]): boolean {
    return this.#times.fits(cells);
  }

  /**
   * The note for a column that may contain seconds since 1970, otherwise null. The other columns decide whether it
   * applies.
   */
  get epochNote(): string | null {
    return this.#unsupported.epochNote;
  }

  describe(): ColumnDescription {
    const isEmpty = this.#nulls === this.#cells;
    const numbers = isEmpty ? null : this.#numbers.result();
    const times = isEmpty ? null : this.#times.result();
    const { type, format } = this.#chooseType(numbers, times);
    return {
      name: this.name,
      type,
      format,
      nulls: this.#nulls,
      examples: this.#examples,
      note:
        type === 'text'
          ? (ambiguityNote(numbers, times) ?? this.#unsupported.twoDigitYearNote ?? this.#mistakeNote(numbers, times))
          : null,
      numbers,
      times,
      ...(times?.kind === 'read' && this.#times.order !== null && { order: this.#times.order }),
    };
  }

  #chooseType(
    numbers: DetectedFormat<NumberFormat> | null,
    times: DetectedFormat<TimeFormat> | null,
  ): { type: CsvColumnType; format: CsvFormat | null } {
    if (numbers === null || times === null) return { type: 'empty', format: null };
    if (this.#isBoolean) return { type: 'boolean', format: null };
    // Numbers of four digits are times only if the name of the column or the order of the cells indicates years.
    const isTime = times.kind === 'read' && (times.format !== 'year' || this.#areYears());
    if (isTime) return { type: 'timestamp', format: times.format };
    return numbers.kind === 'read' ? { type: 'number', format: numbers.format } : { type: 'text', format: null };
  }

  /** Returns the first mistake of a column in which nearly all cells are times or numbers. */
  #mistakeNote(numbers: DetectedFormat<NumberFormat> | null, times: DetectedFormat<TimeFormat> | null): string | null {
    const isTime = this.#times.isNearlyRead && (isTimeName(this.name) || !this.#numbers.isNearlyRead);
    if (isTime && times?.kind === 'none') return formatUnfitTime(times);
    return this.#numbers.isNearlyRead && numbers?.kind === 'none' ? formatUnfitNumber(numbers) : null;
  }

  #areYears(): boolean {
    if (isTimeName(this.name)) return true;
    return !isValueName(this.name) && this.#cells - this.#nulls > 1 && this.#times.isMonotonic;
  }

  #addExample(cell: string): void {
    const isLong = cell.length > MAX_EXAMPLE_LENGTH;
    const example = isLong ? `${cell.slice(0, MAX_EXAMPLE_LENGTH - 1).toWellFormed()}…` : cell;
    if (!this.#examples.includes(example)) this.#examples.push(example);
  }
}

function ambiguityNote(
  numbers: DetectedFormat<NumberFormat> | null,
  times: DetectedFormat<TimeFormat> | null,
): string | null {
  if (times?.kind === 'ambiguous') return formatAmbiguousTime(times);
  return numbers?.kind === 'ambiguous' ? formatAmbiguousNumber(numbers) : null;
}

// These texts are stored as the note of a column.

export function formatUnfitTime(unfit: UnfitCell): string {
  return `line ${unfit.line}: ${quoteCell(unfit.cell)} is not a time of the years 1800 to 2200${formatUnlikeAbove(unfit)}. Write times as YYYY-MM-DD, with or without a time of day.`;
}

export function formatUnfitNumber(unfit: UnfitCell): string {
  return `line ${unfit.line}: ${quoteCell(unfit.cell)} is not a number${formatUnlikeAbove(unfit)}.`;
}

function formatUnlikeAbove({ isFirst }: UnfitCell): string {
  return isFirst ? '' : ' in the format of the cells above it';
}

export function formatAmbiguousTime({ line, cell }: CellAt): string {
  return `line ${line}: ${quoteCell(cell)} can be read day first or month first, and no row tells which. Write dates as YYYY-MM-DD, or upload the file as text/csv; dates=day_first or dates=month_first.`;
}

export function formatAmbiguousNumber({ line, cell }: CellAt): string {
  return `line ${line}: ${quoteCell(cell)} can have a decimal mark or a mark between thousands, and no row tells which. Write numbers without marks between thousands.`;
}
