import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CsvError, CsvTokenizer, cleanText, malformed } from '../../../platform/index.ts';
import { parsePeriod } from '../parse-period.ts';
import type { RawObservation, StatedFrequency } from '../provider.ts';
import { SDMX_ID } from '../sdmx/read-structures.ts';
import { ECB, frequencyOf, NORMAL_STATUS } from './ecb-codes.ts';

/** The series whose data was requested. */
export interface RequestedSeries {
  readonly flow: string;
  readonly key: string;
  /** The values of the dimensions; null if only the key is known. */
  readonly dimensions: Readonly<Record<string, string>> | null;
}

/** The data of one series. */
export interface DataReply {
  readonly frequency: StatedFrequency;
  /** Empty if the frequency is not offered. */
  readonly observations: readonly RawObservation[];
  /** The comments on observations, each once. */
  readonly comments: readonly string[];
  /** Returns the cell of a column in the first row; an empty text if there is no such column. */
  attribute(column: string): string;
}

const MAX_ROWS = 100_000;
const MAX_COLUMNS = 500;
/** Twice the length that data structures allow for titles and comments. Longer ones are cut. */
export const MAX_TEXT_LENGTH = 2_000;
/** Several times the length of the longest numbers. */
const MAX_VALUE_LENGTH = 2_000;
const MAX_COMMENTS = 100;
/** Parsing this many characters takes a few milliseconds. */
const STEP_LENGTH = 128 * 1024;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** The columns that must be equal in all rows, because a value means nothing without them. */
const CONSTANT_COLUMNS = ['FREQ', 'UNIT', 'UNIT_MEASURE', 'UNIT_MULT'];
/** The columns of comments on observations in data structures of the ECB and in those that organizations share. */
const COMMENT_COLUMNS = ['OBS_COM', 'COMMENT_OBS'];

/**
 * Reads a reply in the format csvdata. Returns null if it shows that the key has another number of dimensions than the
 * series of the flow. Throws a `ProviderError` with the fault MALFORMED for anything but the data of the series.
 */
export async function readDataReply(text: string, series: RequestedSeries): Promise<DataReply | null> {
  let reader: RowReader | undefined;
  const take = (cells: string[]) => {
    if (reader === undefined) reader = new RowReader(cells, series);
    else reader.read(cells);
  };
  // Cells that are not read may be long. The size of the reply limits all of them together.
  const tokenizer = new CsvTokenizer(',', take, { sameWidth: true, maxColumns: MAX_COLUMNS });
  try {
    for (let from = 0; from < text.length; from += STEP_LENGTH) {
      if (from > 0) await yieldToEventLoop();
      tokenizer.push(text.slice(from, from + STEP_LENGTH));
    }
    tokenizer.end();
  } catch (error) {
    if (error instanceof CsvError) throw malformed(ECB, 'not CSV');
    throw error;
  }
  // A series without observations has the status 404.
  if (reader === undefined || reader.rows === 0) throw malformed(ECB, 'no rows');
  return reader.hasOtherDimensions ? null : reader;
}

class RowReader implements DataReply {
  readonly observations: RawObservation[] = [];
  hasOtherDimensions = false;
  rows = 0;
  readonly #series: RequestedSeries;
  readonly #columns = new Map<string, number>();
  /** The columns that all rows share, with the cell of the requested series or of the first row. */
  readonly #expected = new Map<number, string | undefined>();
  readonly #comments = new Set<string>();
  #first: readonly string[] = [];

  constructor(header: readonly string[], series: RequestedSeries) {
    this.#series = series;
    for (const [index, column] of header.entries()) {
      if (this.#columns.has(column)) throw malformed(ECB, 'two columns with one name');
      this.#columns.set(column, index);
    }
    const [key, period] = [this.#require('KEY'), this.#require('TIME_PERIOD')];
    this.#require('FREQ');
    this.#require('OBS_VALUE');
    for (const column of CONSTANT_COLUMNS) {
      const index = this.#columns.get(column);
      if (index !== undefined) this.#expected.set(index, undefined);
    }
    this.#expected.set(key, `${series.flow}.${series.key}`);
    if (series.dimensions !== null) {
      for (const [field, value] of Object.entries(series.dimensions)) this.#expected.set(this.#require(field), value);
      return;
    }
    // The ECB writes the dimensions between these two columns. In another order, only the key names the series.
    const parts = series.key.split('.');
    if (period - key - 1 !== parts.length) return;
    for (const [index, part] of parts.entries()) this.#expected.set(key + 1 + index, part);
  }

  get frequency(): StatedFrequency {
    return frequencyOf(this.attribute('FREQ'));
  }

  get comments(): readonly string[] {
    return [...this.#comments];
  }

  attribute(column: string): string {
    return this.#cell(this.#first, column);
  }

  read(cells: readonly string[]): void {
    this.rows += 1;
    if (this.rows > MAX_ROWS) throw malformed(ECB, 'too many rows');
    if (this.rows === 1) {
      this.#first = cells;
      this.hasOtherDimensions = this.#series.dimensions === null && this.#hasOtherLength(this.attribute('KEY'));
      for (const [index, value] of this.#expected) this.#expected.set(index, value ?? cells[index]);
    }
    if (this.hasOtherDimensions) return;
    for (const [index, value] of this.#expected) {
      if (cells[index] !== value) throw malformed(ECB, 'a row of another series');
    }
    const { frequency } = this;
    if ('unsupported' in frequency) return;
    const period = parsePeriod(this.#cell(cells, 'TIME_PERIOD'));
    if (period === null) throw malformed(ECB, 'a period');
    if (!('frequency' in period.stated) || period.stated.frequency !== frequency.frequency) {
      throw malformed(ECB, 'a period of another frequency');
    }
    this.observations.push({
      instant: period.instant,
      value: parseValue(this.#cell(cells, 'OBS_VALUE')),
      flag: parseStatus(this.#cell(cells, 'OBS_STATUS')),
    });
    for (const column of COMMENT_COLUMNS) this.#addComment(this.#cell(cells, column));
  }

  /** Returns whether a key of the flow has another number of values than the requested one, which thus names no series. */
  #hasOtherLength(key: string): boolean {
    const { flow, key: requested } = this.#series;
    return key.startsWith(`${flow}.`) && key.split('.').length - 1 !== requested.split('.').length;
  }

  #addComment(cell: string): void {
    if (cell === '' || this.#comments.size >= MAX_COMMENTS) return;
    const comment = cleanText(cell, MAX_TEXT_LENGTH);
    if (comment !== '') this.#comments.add(comment);
  }

  #require(column: string): number {
    const index = this.#columns.get(column);
    if (index === undefined) throw malformed(ECB, 'a column is missing');
    return index;
  }

  #cell(cells: readonly string[], column: string): string {
    const index = this.#columns.get(column);
    return index === undefined ? '' : (cells[index] ?? '');
  }
}

function parseValue(cell: string): number {
  if (cell === '' || cell === 'NaN') return Number.NaN;
  const value = cell.length <= MAX_VALUE_LENGTH && NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (!Number.isFinite(value)) throw malformed(ECB, 'a value');
  return value;
}

function parseStatus(cell: string): string | undefined {
  if (cell === '' || cell === NORMAL_STATUS) return undefined;
  if (!SDMX_ID.test(cell)) throw malformed(ECB, 'a status');
  return cell;
}
