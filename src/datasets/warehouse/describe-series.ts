import { type Frequency, periodTimestamp } from '../../calendar/index.ts';
import type { SeriesDescription, SeriesSpan } from '../../contract/index.ts';
import { cleanText } from '../../platform/index.ts';
import { reportingPeriodOf } from '../../snapshots/index.ts';
import type { WarehouseColumn, WarehouseQuery, WarehouseTable } from './engine.ts';
import { fromRawTime, isServedInstant } from './raw-times.ts';

/** The parts of a checked reference that a description depends on. */
export type DescribedQuery = Pick<WarehouseQuery, 'time' | 'value' | 'aggregate' | 'filters' | 'from' | 'to'>;

const MAX_LABEL_LENGTH = 200;

/**
 * Describes the series that a query reads, from the metadata of its table.
 *
 * @param query has no bound besides the start and the end of the reference
 * @param estimatedBytes null if the metadata do not state it
 */
export function describeSeries(
  table: WarehouseTable,
  query: DescribedQuery,
  estimatedBytes: number | null,
): SeriesDescription {
  const { columns, publisher, license, notes, lastUpdate } = table;
  const others = columns.filter(
    (column) => isNumeric(column) && column.name !== query.value.name && column.name !== query.time.column.name,
  );
  const isWhole = !isNarrowed(query);
  const frequency = seriesFrequency(query);
  return {
    provider: providerOf(table),
    title: seriesTitle(table, query.value),
    frequency,
    time_field: 'timestamp',
    values: [query.value, ...others].map((column) => ({ field: column.name, label: labelOf(column), units: '' })),
    dimensions: columns
      .filter(({ kind }) => kind === 'text')
      .map((column) => ({ field: column.name, label: labelOf(column), required: false })),
    units: '',
    last_update: lastUpdate,
    span: isWhole ? seriesSpan(table, query) : null,
    rows: isWhole && query.aggregate === null ? table.rows : null,
    reporting_period: frequency === '' ? 'varies' : reportingPeriodOf(frequency),
    vintage: 'revised',
    estimated_bytes: estimatedBytes,
    publisher,
    license: { ...license },
    notes,
  };
}

function isNarrowed({ filters, from, to }: DescribedQuery): boolean {
  return filters.length > 0 || from !== null || to !== null;
}

export function isNumeric({ kind }: WarehouseColumn): boolean {
  return kind === 'integer' || kind === 'number';
}

function labelOf({ name, description = '' }: WarehouseColumn): string {
  return cleanText(description, MAX_LABEL_LENGTH) || name;
}

/** Returns the id of the provider of a table. */
export function providerOf({ name }: Pick<WarehouseTable, 'name'>): 'local' | 'bigquery' {
  return name.startsWith('local.') ? 'local' : 'bigquery';
}

export function seriesTitle({ title }: Pick<WarehouseTable, 'title'>, value: WarehouseColumn): string {
  return `${title}: ${value.name}`;
}

/** Returns the frequency of a series, as far as it is known without reading rows; empty if it is not. */
export function seriesFrequency({ time, aggregate }: Pick<WarehouseQuery, 'time' | 'aggregate'>): Frequency | '' {
  return aggregate?.frequency ?? (time.column.kind === 'date' ? '1D' : '');
}

/**
 * Returns the first and the last row of a whole table; null if the metadata do not state them. The rows of integers
 * without an aggregate get their timestamps only when they are read.
 */
export function seriesSpan(
  table: Pick<WarehouseTable, 'ranges'>,
  { time, aggregate }: Pick<WarehouseQuery, 'time' | 'aggregate'>,
): SeriesSpan | null {
  const range = timeRange(table, time);
  if (range === null || (aggregate === null && time.format !== null)) return null;
  const format = (instant: number): string =>
    new Date(aggregate === null ? instant : periodTimestamp(aggregate.frequency, instant)).toISOString();
  return { start: format(range.min), end: format(range.max) };
}

/** Returns the first and the last time of a column in milliseconds since 1970; null if the metadata do not state them. */
export function timeRange(
  { ranges }: Pick<WarehouseTable, 'ranges'>,
  { column, format }: WarehouseQuery['time'],
): { readonly min: number; readonly max: number } | null {
  const range = ranges.get(column.name);
  if (range === undefined) return null;
  const [min, max] = [range.min, range.max].map((raw) =>
    format === null ? Math.floor(raw) : fromRawTime(format, raw),
  );
  if (min == null || max == null || !isServedInstant(min) || !isServedInstant(max)) return null;
  return { min, max };
}
