import type { CsvColumnType, CsvDateOrder, CsvFormat } from '../../../contract/index.ts';
import { isMissing } from '../cells/missing.ts';
import type { NumberFormat } from '../cells/numbers.ts';
import type { TimeFormat } from '../cells/times.ts';
import { sayCell } from '../reading/line-fault.ts';
import { isTimeName, isValueName } from './column-names.ts';
import { NumberReading } from './number-reading.ts';
import type { Place, Reading } from './reading.ts';
import { TimeReading } from './time-reading.ts';
import { UnreadTimes } from './unread-times.ts';

const MAX_EXAMPLES = 3;
const LONGEST_EXAMPLE = 100;

/** What is known of a column, as it is stored. */
export interface ColumnDescription {
  readonly name: string;
  readonly type: CsvColumnType;
  readonly format: CsvFormat | null;
  readonly nulls: number;
  readonly examples: readonly string[];
  readonly note: string | null;
  /** Whatever the type: a column of years can be times and numbers. Null: every cell is missing. */
  readonly numbers: Reading<NumberFormat> | null;
  readonly times: Reading<TimeFormat> | null;
}

/** Watches the cells of one column go by, in memory that does not grow with them. */
export class ColumnProfile {
  readonly #name: string;
  readonly #numbers = new NumberReading();
  readonly #times: TimeReading;
  readonly #unread = new UnreadTimes();
  readonly #examples: string[] = [];
  #nulls = 0;
  #cells = 0;
  #isBoolean = true;

  /** @param dates the order of day and month, if the uploader has said it */
  constructor(name: string, dates: CsvDateOrder | null = null) {
    this.#name = name;
    this.#times = new TimeReading(dates);
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
    this.#unread.add(trimmed, line);
  }

  /** What to say if these are times rather than numbers, which other columns tell; null: they are no seconds since 1970. */
  get epochs(): string | null {
    return this.#unread.epochs;
  }

  describe(): ColumnDescription {
    const isEmpty = this.#nulls === this.#cells;
    const numbers = isEmpty ? null : this.#numbers.result();
    const times = isEmpty ? null : this.#times.result();
    const { type, format } = this.#typeOf(numbers, times);
    return {
      name: this.#name,
      type,
      format,
      nulls: this.#nulls,
      examples: this.#examples,
      note: type === 'text' ? (noteOn(numbers, times) ?? this.#unread.shortYears) : null,
      numbers,
      times,
    };
  }

  #typeOf(
    numbers: Reading<NumberFormat> | null,
    times: Reading<TimeFormat> | null,
  ): { type: CsvColumnType; format: CsvFormat | null } {
    if (numbers === null || times === null) return { type: 'empty', format: null };
    if (this.#isBoolean) return { type: 'boolean', format: null };
    // Years that only go up or only go down are times; other numbers of four digits are numbers.
    const isTime = times.kind === 'read' && (times.format !== 'year' || this.#countsYears());
    if (isTime) return { type: 'timestamp', format: times.format };
    return numbers.kind === 'read' ? { type: 'number', format: numbers.format } : { type: 'text', format: null };
  }

  #countsYears(): boolean {
    if (isTimeName(this.#name)) return true;
    return !isValueName(this.#name) && this.#cells - this.#nulls > 1 && this.#times.isMonotonous;
  }

  #addExample(cell: string): void {
    const example = cell.length > LONGEST_EXAMPLE ? `${cell.slice(0, LONGEST_EXAMPLE - 1).toWellFormed()}…` : cell;
    if (!this.#examples.includes(example)) this.#examples.push(example);
  }
}

function noteOn(numbers: Reading<NumberFormat> | null, times: Reading<TimeFormat> | null): string | null {
  if (times?.kind === 'ambiguous') return sayAmbiguousTime(times);
  return numbers?.kind === 'ambiguous' ? sayAmbiguousNumber(numbers) : null;
}

export function sayAmbiguousTime({ line, cell }: Place): string {
  return `line ${line}: ${sayCell(cell)} can be read day first or month first, and no row tells which. Write dates as YYYY-MM-DD, or upload the file as text/csv; dates=day_first or dates=month_first.`;
}

export function sayAmbiguousNumber({ line, cell }: Place): string {
  return `line ${line}: ${sayCell(cell)} can have a decimal mark or a mark between thousands, and no row tells which. Write numbers without marks between thousands.`;
}
