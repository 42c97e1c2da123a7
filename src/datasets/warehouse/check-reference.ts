import {
  MAX_OBSERVATIONS,
  MAX_WAREHOUSE_COLUMN_NAME,
  TIME_FORMATS,
  type TimeFormat,
  type WarehouseReference,
} from '../../contract/index.ts';
import { nearestValues } from '../nearest-values.ts';
import type {
  ColumnKind,
  FilterValue,
  QueryFilter,
  WarehouseColumn,
  WarehouseQuery,
  WarehouseTable,
} from './engine.ts';
import {
  columnAmbiguous,
  columnUnfit,
  columnUnknown,
  filterRepeated,
  filterValueInvalid,
  timeFormatRefused,
  timeFormatRequired,
} from './faults.ts';
import { readFilterValue } from './filter-values.ts';
import { readRange } from './read-range.ts';
import { parseTableName } from './table-name.ts';

/** Rows of periods that have not ended are read but not returned. */
const SPARE_ROWS = 1_000;
const MAX_READ_ROWS = MAX_OBSERVATIONS + SPARE_ROWS;

const MAX_COLUMNS_SHOWN = 20;

/** Which columns a field of a reference can name. */
interface ColumnRule {
  readonly kinds: readonly ColumnKind[];
  /** What such a column is, for messages. */
  readonly text: string;
}

const TIMES: ColumnRule = {
  kinds: ['date', 'datetime', 'timestamp', 'integer'],
  text: 'a column with dates, times or integers',
};
const NUMBERS: ColumnRule = { kinds: ['integer', 'number'], text: 'a column with numbers' };
const ANY: ColumnRule = {
  kinds: ['text', 'integer', 'number', 'boolean', 'date', 'datetime', 'timestamp'],
  text: 'a column with single values',
};

/** The instant from which a read needs no rows: milliseconds since 1970, or null. */
export interface CheckWindow {
  readonly cutoff: number | null;
}

/**
 * Checks a reference against the schema of its table and returns the query that it states. No SQL is built from a
 * reference in another way, so every name in a query is a column of the table and every value has the kind of its column.
 */
export function checkReference(
  reference: WarehouseReference,
  table: WarehouseTable,
  { cutoff }: CheckWindow,
): WarehouseQuery {
  const { aggregate } = reference;
  const schema = readSchema(table);
  const time = findColumn(schema, 'time_field', reference.time_field, TIMES);
  const valueRule = aggregate?.function === 'count' ? ANY : NUMBERS;
  return {
    time: { column: time, format: requireTimeFormat(time, reference.time_format) },
    value: findColumn(schema, 'value_field', reference.value_field, valueRule),
    filters: checkFilters(schema, reference.filters ?? []),
    ...readRange(reference, cutoff),
    aggregate: aggregate ?? null,
    maxRows: MAX_READ_ROWS,
  };
}

/** The columns of a table, by their names in lower case. */
interface Schema {
  readonly columns: readonly WarehouseColumn[];
  readonly byName: ReadonlyMap<string, readonly WarehouseColumn[]>;
  readonly ignoresCase: boolean;
}

function readSchema({ name, columns }: WarehouseTable): Schema {
  const byName = Map.groupBy(columns, (column) => column.name.toLowerCase());
  return { columns, byName, ignoresCase: parseTableName(name).kind === 'public' };
}

/** Returns the column that a field names. */
function findColumn(schema: Schema, field: string, name: string, { kinds, text }: ColumnRule): WarehouseColumn {
  const lower = name.toLowerCase();
  const column = schema.byName.get(lower)?.find((one) => schema.ignoresCase || one.name === name);
  if (column !== undefined && isAmbiguous(schema, lower)) throw columnAmbiguous(field, name);
  const fits = (one: WarehouseColumn) => kinds.includes(one.kind) && one.name.length <= MAX_WAREHOUSE_COLUMN_NAME;
  if (column !== undefined && fits(column)) return column;
  const fitting = schema.columns.filter(fits).map((one) => ({ value: one.name, label: one.name }));
  const nearest = nearestValues(fitting, name, MAX_COLUMNS_SHOWN).map(({ value }) => value);
  throw column === undefined ? columnUnknown(field, name, nearest, text) : columnUnfit(field, column, nearest, text);
}

/**
 * Returns whether an engine could read another column than the one of this name. DuckDB ignores case: of the columns
 * "A", "a" and "a_1", it renames the second to "a_1".
 */
function isAmbiguous(schema: Schema, lower: string): boolean {
  const renamed = /^(.*)_\d+$/s.exec(lower)?.[1];
  const isRepeated = (schema.byName.get(lower)?.length ?? 0) > 1;
  return isRepeated || (renamed !== undefined && isAmbiguous(schema, renamed));
}

function requireTimeFormat({ name, kind }: WarehouseColumn, format: TimeFormat | undefined): TimeFormat | null {
  if (kind === 'integer') {
    if (format === undefined) throw timeFormatRequired(name, TIME_FORMATS);
    return format;
  }
  if (format !== undefined) throw timeFormatRefused(name, kind);
  return null;
}

type RequestedFilters = NonNullable<WarehouseReference['filters']>;

function checkFilters(schema: Schema, filters: RequestedFilters): readonly QueryFilter[] {
  const names = new Set<string>();
  return filters.map(({ field, values }, index) => {
    const column = findColumn(schema, `filters[${index}].field`, field, ANY);
    if (names.has(column.name)) throw filterRepeated(index, column.name);
    names.add(column.name);
    const typed = values.map((value, at) => {
      const read = readFilterValue(column, value);
      if (typeof read === 'object') throw filterValueInvalid(index, at, read.rule);
      return read;
    });
    // A set also makes a negative zero positive.
    return { column, values: [...new Set<FilterValue>(typed)] };
  });
}
