import type { CsvDateOrder } from '../../../contract/index.ts';
import { parseTimeIn, TIME_FORMATS, type TimeFormat } from '../cells/times.ts';
import { type Place, place, type Reading, type UnfitPlace } from './reading.ts';

/**
 * Finds the one format in which every cell of a column is a time. Dates such as 01/02/2024 are read only where some cell
 * (13/02/2024) leaves one order of day and month, or where both orders name the same days.
 */
export class TimeReading {
  #possible: TimeFormat[];
  #isFirst = true;
  #differs: Place | null = null;
  #unfit: UnfitPlace | null = null;
  #last: number | null = null;
  #climbs = true;
  #falls = true;

  /** @param dates which of both orders dates such as 01/02/2024 have; null: to be found out */
  constructor(dates: CsvDateOrder | null = null) {
    const excluded = dates && (dates === 'day_first' ? 'month_first' : 'day_first');
    this.#possible = TIME_FORMATS.filter((format) => format !== excluded);
  }

  get isPossible(): boolean {
    return this.#possible.length > 0;
  }

  /** Whether every time is later than the one before, or every one earlier. */
  get isMonotonous(): boolean {
    return this.#climbs || this.#falls;
  }

  add(cell: string, line: number): void {
    if (this.#possible.length === 1) this.#addToOnly(this.#possible[0] as TimeFormat, cell, line);
    else if (this.isPossible) this.#addToMany(cell, line);
    this.#isFirst = false;
  }

  /** Most cells of a column of times come here: it keeps nothing but the last of them. */
  #addToOnly(format: TimeFormat, cell: string, line: number): void {
    const time = parseTimeIn(cell, format);
    if (time !== null) this.#follow(time);
    else this.#refuse(cell, line);
  }

  #addToMany(cell: string, line: number): void {
    const times = this.#possible.map((format) => parseTimeIn(cell, format));
    if (times.every((time) => time === null)) {
      this.#refuse(cell, line);
      return;
    }
    if (times.includes(null)) this.#possible = this.#possible.filter((_, index) => times[index] !== null);
    const fitting = times.filter((time) => time !== null);
    if (new Set(fitting).size > 1) this.#differs ??= place(cell, line);
    this.#follow(fitting[0] as number);
  }

  result(): Reading<TimeFormat> {
    if (this.#unfit !== null) return { kind: 'none', ...this.#unfit };
    if (this.#possible.length > 1 && this.#differs !== null) return { kind: 'ambiguous', ...this.#differs };
    return { kind: 'read', format: this.#possible[0] as TimeFormat };
  }

  #refuse(cell: string, line: number): void {
    this.#possible = [];
    this.#unfit = { ...place(cell, line), isFirst: this.#isFirst };
  }

  #follow(time: number): void {
    if (this.#last !== null && time <= this.#last) this.#climbs = false;
    if (this.#last !== null && time >= this.#last) this.#falls = false;
    this.#last = time;
  }
}
