import type { WarehouseReference } from '../../../src/contract/index.ts';
import type { SqlDialect } from '../../../src/datasets/warehouse/build-query.ts';
import type { ColumnKind, WarehouseColumn, WarehouseTable } from '../../../src/datasets/warehouse/engine.ts';

const TYPES: Record<ColumnKind, string> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  other: 'STRUCT(a INTEGER)',
};

export function columnOf(name: string, kind: ColumnKind, type = TYPES[kind]): WarehouseColumn {
  return { name, kind, type };
}

/** Returns the metadata of a table with these columns. */
export function tableOf(
  columns: Readonly<Record<string, ColumnKind>> | readonly WarehouseColumn[],
  name = 'local.sales',
): WarehouseTable {
  const list = Array.isArray(columns)
    ? (columns as readonly WarehouseColumn[])
    : Object.entries(columns).map(([column, kind]) => columnOf(column, kind));
  return {
    name,
    title: name,
    columns: list,
    rows: null,
    ranges: new Map(),
    lastUpdate: null,
    publisher: '',
    license: { name: 'unknown', url: null },
    notes: null,
  };
}

/** Returns a reference to the columns `day` and `price` of local.sales. */
export function referenceOf(choices: Partial<WarehouseReference> = {}): WarehouseReference {
  return { type: 'warehouse_table', table: 'local.sales', time_field: 'day', value_field: 'price', ...choices };
}

/** A dialect whose functions are easy to recognize. */
export const PLAIN_DIALECT: SqlDialect = {
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: ({ name }) => `@${name}`,
  microseconds: ({ name }, format) => `${format ?? 'micros'}(${PLAIN_DIALECT.quote(name)})`,
  periodStart: (time, frequency) => `start_of_${frequency.toLowerCase().replaceAll('-', '_')}(${time})`,
  notNaN: ({ name, type }) => (type === 'DOUBLE' ? `NOT is_nan(${PLAIN_DIALECT.quote(name)})` : null),
  toDouble: (expression) => `double(${expression})`,
  lastValue: (value, time) => `last(${value}, ${time})`,
};
