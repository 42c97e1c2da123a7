import { MONTH_NAME } from '../cells/month-names.ts';
import { sayCell } from '../reading/line-fault.ts';
import { type Place, place } from './reading.ts';

const SHORT_YEAR = new RegExp(
  `^(?:\\d{1,2}([-/.])\\d{1,2}\\1\\d{2}|(?:\\d{1,2}[- ])?${MONTH_NAME}[- ]['’]?\\d{2}|${MONTH_NAME} \\d{1,2}, ?['’]?\\d{2})(?:[T ]\\d{1,2}:.*)?$`,
  'i',
);

/** Seconds of the years 2001 to 2100 have ten digits, milliseconds thirteen. */
const EPOCH = /^(?:[1-3]\d{9}|40\d{8})(?:\d{3})?$/;

/**
 * Watches for columns that are times in a way that is not read: with years of two digits, of which nobody knows the
 * century, or as seconds since 1970, which are numbers like others.
 */
export class UnreadTimes {
  #shortYear: Place | null = null;
  #areShortYears = true;
  #digits: number | null = null;
  #areEpochs = true;
  #last = 0;
  #climbs = true;
  #falls = true;

  add(cell: string, line: number): void {
    if (this.#areShortYears) {
      this.#areShortYears = SHORT_YEAR.test(cell);
      this.#shortYear ??= place(cell, line);
    }
    if (this.#areEpochs) this.#addEpoch(cell);
  }

  #addEpoch(cell: string): void {
    this.#areEpochs = EPOCH.test(cell) && (this.#digits === null || this.#digits === cell.length);
    const value = Number(cell);
    if (this.#digits !== null && value <= this.#last) this.#climbs = false;
    if (this.#digits !== null && value >= this.#last) this.#falls = false;
    this.#digits = cell.length;
    this.#last = value;
  }

  /** What to say of a column of years of two digits; null: it is none. */
  get shortYears(): string | null {
    if (!this.#areShortYears || this.#shortYear === null) return null;
    const { cell, line } = this.#shortYear;
    return `line ${line}: ${sayCell(cell)} has no year of four digits. Write dates as YYYY-MM-DD and months as YYYY-MM.`;
  }

  /** What to say of a column of seconds or milliseconds since 1970, which only go up or only go down; null: it is none. */
  get epochs(): string | null {
    if (!this.#areEpochs || this.#digits === null || !(this.#climbs || this.#falls)) return null;
    const unit = this.#digits === 13 ? 'milliseconds' : 'seconds';
    return `The numbers look like ${unit} since 1970. Write times as YYYY-MM-DDThh:mm:ssZ, or as YYYY-MM-DD.`;
  }
}
