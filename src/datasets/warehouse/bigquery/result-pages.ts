import { isRecord, malformed, ProviderError, readRecord, readRecords, readToken } from '../../../platform/index.ts';
import type { RawRows, WarehouseQuery } from '../engine.ts';
import { BIGQUERY } from './access-token.ts';
import { readCount } from './bigquery-table.ts';

/** A page of results, the latest rows first. */
export interface ResultPage {
  readonly total: number;
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** The token of the next page; null if this one is the last. */
  readonly nextToken: string | null;
}

/** A result of at most 50,000 rows has a few pages. */
const MAX_PAGES = 50;

const INTEGER = /^-?\d{1,19}$/;
const DOUBLE = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const SPECIAL_DOUBLES: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  [null, Number.NaN],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
]);

/** Collects the pages of a result, and refuses pages that are not the next ones of the same result. */
export class ResultPages {
  readonly #query: WarehouseQuery;
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  readonly #tokens = new Set<string>();
  #total: number | undefined;

  constructor(query: WarehouseQuery) {
    this.#query = query;
  }

  /** Reads a page of a job that has completed, without adding it. */
  read(reply: unknown): ResultPage {
    const { schema, totalRows, rows = [], pageToken } = readRecord(BIGQUERY, reply);
    checkSchema(schema);
    const total = readCount(totalRows, 'a number of rows');
    if (total === null || total > this.#query.maxRows) throw malformed(BIGQUERY, 'a number of rows');
    if (this.#total !== undefined && total !== this.#total) throw malformed(BIGQUERY, 'another number of rows');
    const records = readRecords(BIGQUERY, rows);
    const nextToken = readToken(BIGQUERY, pageToken);
    const count = this.#times.length + records.length;
    if (count > total || (nextToken === null && count < total)) throw malformed(BIGQUERY, 'a number of rows');
    const cells = records.map(readCells);
    const times = this.#readTimes(cells.map(([time]) => time));
    return { total, times, values: cells.map(([, value]) => readDouble(value)), nextToken };
  }

  /** Adds a page. Throws a `ProviderError` if the pages do not end. */
  add({ total, times, values, nextToken }: ResultPage): void {
    this.#total = total;
    for (const time of times) this.#times.push(time);
    for (const value of values) this.#values.push(value);
    if (nextToken === null) return;
    const isLoop = times.length === 0 || this.#tokens.has(nextToken) || this.#tokens.size >= MAX_PAGES;
    if (isLoop) throw new ProviderError(BIGQUERY, 'PAGE_LOOP');
    this.#tokens.add(nextToken);
  }

  /** Returns the rows of all pages, oldest first. */
  rows(): RawRows {
    return { times: Float64Array.from(this.#times).reverse(), values: Float64Array.from(this.#values).reverse() };
  }

  /** Reads times in their order, which shows that no page is sent twice and that no period has two values. */
  #readTimes(cells: readonly unknown[]): number[] {
    const { aggregate, time } = this.#query;
    const canBeNull = aggregate !== null && time.format !== null;
    let previous = this.#times.at(-1) ?? Number.POSITIVE_INFINITY;
    return cells.map((cell) => {
      // NULL comes last. It is one group.
      if (Number.isNaN(previous)) throw malformed(BIGQUERY, 'the order of rows');
      if (cell === null && canBeNull) {
        previous = Number.NaN;
        return previous;
      }
      if (typeof cell !== 'string' || !INTEGER.test(cell)) throw malformed(BIGQUERY, 'a time');
      const instant = Number(cell);
      const isInOrder = aggregate === null ? instant <= previous : instant < previous;
      if (!isInOrder) throw malformed(BIGQUERY, 'the order of rows');
      previous = instant;
      return instant;
    });
  }
}

const COLUMNS: readonly (readonly [name: string, types: readonly unknown[]])[] = [
  ['t', ['INTEGER', 'INT64']],
  ['v', ['FLOAT', 'FLOAT64']],
];

function checkSchema(schema: unknown): void {
  const fields = readRecords(BIGQUERY, readRecord(BIGQUERY, schema).fields);
  const isExpected = COLUMNS.every(([name, types], i) => fields[i]?.name === name && types.includes(fields[i]?.type));
  if (fields.length !== COLUMNS.length || !isExpected) throw malformed(BIGQUERY, 'columns of a result');
}

/** Reads a row, such as {"f":[{"v":"1704067200000000"},{"v":"1.5"}]}. */
function readCells({ f: cells }: Readonly<Record<string, unknown>>): readonly [time: unknown, value: unknown] {
  const [time, value, ...others]: readonly unknown[] = Array.isArray(cells) ? cells : [];
  if (!isRecord(time) || !isRecord(value) || others.length > 0) throw malformed(BIGQUERY, 'a row');
  return [time.v, value.v];
}

function readDouble(cell: unknown): number {
  const special = SPECIAL_DOUBLES.get(cell);
  if (special !== undefined) return special;
  const value = typeof cell === 'string' && DOUBLE.test(cell) ? Number(cell) : Number.NaN;
  if (!Number.isFinite(value)) throw malformed(BIGQUERY, 'a value');
  return value;
}
