import { quoteCell } from '../../faults.ts';
import { MONTH_NAME_PATTERN } from '../cells/times.ts';
import { type CellAt, cellAt } from './detect-formats.ts';

const TWO_DIGIT_YEAR = new RegExp(
  `^(?:\\d{1,2}([-/.])\\d{1,2}\\1\\d{2}|(?:\\d{1,2}[- ])?${MONTH_NAME_PATTERN}[- ]['’]?\\d{2}|${MONTH_NAME_PATTERN} \\d{1,2}, ?['’]?\\d{2})(?:[T ]\\d{1,2}:.*)?$`,
  'i',
);

/** For the years 2001 to 2100, the number of seconds since 1970 has ten digits, and that of milliseconds thirteen. */
const EPOCH = /^(?:[1-3]\d{9}|40\d{8})(?:\d{3})?$/;

/**
 * Detects columns of times in an unsupported format: years with two digits, whose century is unknown, or seconds since
 * 1970, which cannot be distinguished from other numbers. The notes that it returns are stored with the file.
 */
export class UnsupportedTimeDetector {
  #firstCell: CellAt | null = null;
  #areTwoDigitYears = true;
  #digits: number | null = null;
  #areEpochs = true;
  #last = 0;
  #isAscending = true;
  #isDescending = true;

  add(cell: string, line: number): void {
    if (this.#areTwoDigitYears) {
      this.#areTwoDigitYears = TWO_DIGIT_YEAR.test(cell);
      this.#firstCell ??= cellAt(cell, line);
    }
    if (this.#areEpochs) this.#addEpoch(cell);
  }

  #addEpoch(cell: string): void {
    this.#areEpochs = EPOCH.test(cell) && (this.#digits === null || this.#digits === cell.length);
    const value = Number(cell);
    if (this.#digits !== null && value <= this.#last) this.#isAscending = false;
    if (this.#digits !== null && value >= this.#last) this.#isDescending = false;
    this.#digits = cell.length;
    this.#last = value;
  }

  /** The note for a column whose years have two digits; null for any other column. */
  get twoDigitYearNote(): string | null {
    if (!this.#areTwoDigitYears || this.#firstCell === null) return null;
    const { cell, line } = this.#firstCell;
    return `line ${line}: ${quoteCell(cell)} has no year of four digits. Write dates as YYYY-MM-DD and months as YYYY-MM.`;
  }

  /** The note for a column of ascending or descending seconds or milliseconds since 1970; null for any other column. */
  get epochNote(): string | null {
    if (!this.#areEpochs || this.#digits === null || !(this.#isAscending || this.#isDescending)) return null;
    const unit = this.#digits === 13 ? 'milliseconds' : 'seconds';
    return `The numbers look like ${unit} since 1970. Write times as YYYY-MM-DDThh:mm:ssZ, or as YYYY-MM-DD.`;
  }
}
