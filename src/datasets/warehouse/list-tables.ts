import { DAY_MS } from '../../calendar/index.ts';
import { MAX_WAREHOUSE_COLUMN_NAME, type WarehouseReference } from '../../contract/index.ts';
import { cleanText } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { isNumeric, providerOf, seriesFrequency, seriesSpan, seriesTitle, timeRange } from './describe-series.ts';
import type { WarehouseColumn, WarehouseQuery, WarehouseTable } from './engine.ts';

/** What the entries of a table depend on. */
export type ListedTable = Pick<WarehouseTable, 'name' | 'title' | 'columns' | 'rows' | 'ranges' | 'publisher'>;

export interface ListOptions {
  /** The callers that find the entries. Default: every caller. */
  readonly audience?: ListedSeries['audience'] | undefined;
}

/** Maximum number of entries of one table. */
const MAX_ENTRIES = 20;
/** Maximum number of columns whose names find the entries of a table. */
const MAX_KEYWORD_COLUMNS = 50;
const MAX_KEYWORD_LENGTH = 200;

/** The rows of a daily series of 27 years. A table with more has several rows a day, or nearly so. */
const MAX_DAILY_ROWS = 10_000;

type Time = WarehouseQuery['time'];
type Aggregate = NonNullable<WarehouseReference['aggregate']>;

/**
 * Returns the entries of a table for the search: one for each of its first numeric columns. A table without a column that
 * certainly contains times has none.
 */
export function listTables(table: ListedTable, { audience }: ListOptions = {}): readonly ListedSeries[] {
  const columns = selectUnambiguous(table.columns);
  const time = findTime(table, columns);
  if (time === null) return [];
  const aggregate = chooseAggregate(table, time);
  const shared = {
    provider: providerOf(table),
    frequency: seriesFrequency({ time, aggregate }),
    span: seriesSpan(table, { time, aggregate }),
    units: '',
    ...(audience && { audience }),
  };
  const keywords = tableKeywords(table, columns);
  return columns
    .filter((column) => isNumeric(column) && column !== time.column)
    .slice(0, MAX_ENTRIES)
    .map((value) => ({
      source: {
        type: 'warehouse_table',
        table: table.name,
        time_field: time.column.name,
        ...(time.format && { time_format: time.format }),
        value_field: value.name,
        ...(aggregate && { aggregate: { ...aggregate } }),
      },
      title: seriesTitle(table, value),
      keywords: [...keywords, ...descriptionKeywords(value)],
      ...shared,
    }));
}

/** Returns the columns that a reference can name. Engines ignore case, so that a name can belong to several columns. */
function selectUnambiguous(columns: readonly WarehouseColumn[]): readonly WarehouseColumn[] {
  const byName = Map.groupBy(columns, ({ name }) => name.toLowerCase());
  return columns.filter(
    ({ name }) =>
      name.length <= MAX_WAREHOUSE_COLUMN_NAME && name.trim() !== '' && byName.get(name.toLowerCase())?.length === 1,
  );
}

const DAY_NAMES = /^(?:.*_)?(?:date|day|yyyymmdd|ymd)$/i;
const YEAR_NAMES = /^year$/i;

/** Returns the first column with times; otherwise an integer column whose name and values are those of days or years. */
function findTime(table: ListedTable, columns: readonly WarehouseColumn[]): Time | null {
  const typed = columns.find(({ kind }) => kind === 'date' || kind === 'datetime' || kind === 'timestamp');
  if (typed !== undefined) return { column: typed, format: null };
  const integers = columns.filter(({ kind }) => kind === 'integer');
  for (const column of integers.filter(({ name }) => DAY_NAMES.test(name))) {
    const time = { column, format: 'yyyymmdd' as const };
    if (timeRange(table, time) !== null) return time;
  }
  const year = integers.find(({ name }) => YEAR_NAMES.test(name));
  return year === undefined ? null : { column: year, format: 'year' };
}

/** Returns how to combine the rows if a period certainly or probably has several; null if it probably has one. */
function chooseAggregate(table: ListedTable, time: Time): Aggregate | null {
  const isYear = time.format === 'year';
  const mean: Aggregate = { function: 'mean', frequency: isYear ? '1YE' : '1D' };
  const range = timeRange(table, time);
  if (range === null || table.rows === null) {
    const isIntraday = time.column.kind === 'datetime' || time.column.kind === 'timestamp';
    return isIntraday || (table.rows ?? 0) > MAX_DAILY_ROWS ? mean : null;
  }
  const periods = isYear
    ? new Date(range.max).getUTCFullYear() - new Date(range.min).getUTCFullYear() + 1
    : Math.floor(range.max / DAY_MS) - Math.floor(range.min / DAY_MS) + 1;
  return table.rows > periods ? mean : null;
}

/** Returns the keywords that all entries of a table have. Names in upper case would count as symbols of instruments. */
function tableKeywords({ name, publisher }: ListedTable, columns: readonly WarehouseColumn[]): readonly string[] {
  const names = columns.slice(0, MAX_KEYWORD_COLUMNS).map((column) => column.name);
  return [name, ...names, publisher].map(toKeyword);
}

function descriptionKeywords({ name, description = '' }: WarehouseColumn): readonly string[] {
  return [name, description].map(toKeyword).filter((keyword) => keyword !== '');
}

function toKeyword(text: string): string {
  return cleanText(text, MAX_KEYWORD_LENGTH).toLowerCase();
}
