import { UNSTATED_LICENSE } from '../../../access/index.ts';
import { cleanText, isRecord, malformed, readRecord, readRecords } from '../../../platform/index.ts';
import type { ColumnKind, WarehouseColumn, WarehouseTable } from '../engine.ts';
import { PUBLIC_PROJECT } from '../table-name.ts';
import { BIGQUERY } from './access-token.ts';

export interface TableId {
  readonly dataset: string;
  readonly table: string;
}

/** A column with what an estimate needs. */
export interface BigqueryColumn extends WarehouseColumn {
  /** Whether it has a value in every row. NULL takes no bytes. */
  readonly isRequired: boolean;
}

export interface BigqueryTable extends WarehouseTable {
  readonly id: TableId;
  readonly columns: readonly BigqueryColumn[];
  /** Where the data set is, such as US. Queries must run there. */
  readonly location: string;
  /** The size of all rows before compression; null if it is not stated or rows are still being added. */
  readonly bytes: number | null;
  readonly requiresPartitionFilter: boolean;
}

type Reply = Readonly<Record<string, unknown>>;

/** The types of columns that can be used, by the names that tables have: those of GoogleSQL and the older ones. */
const TYPES: ReadonlyMap<string, readonly [type: string, kind: ColumnKind]> = new Map<
  string,
  readonly [string, ColumnKind]
>([
  ['STRING', ['STRING', 'text']],
  ['INTEGER', ['INT64', 'integer']],
  ['INT64', ['INT64', 'integer']],
  ['FLOAT', ['FLOAT64', 'number']],
  ['FLOAT64', ['FLOAT64', 'number']],
  ['NUMERIC', ['NUMERIC', 'number']],
  ['BIGNUMERIC', ['BIGNUMERIC', 'number']],
  ['BOOLEAN', ['BOOL', 'boolean']],
  ['BOOL', ['BOOL', 'boolean']],
  ['DATE', ['DATE', 'date']],
  ['DATETIME', ['DATETIME', 'datetime']],
  ['TIMESTAMP', ['TIMESTAMP', 'timestamp']],
]);

/** BigQuery allows as many in a table. */
const MAX_COLUMNS = 10_000;
const MAX_TITLE_LENGTH = 200;
const MAX_NOTES_LENGTH = 2_000;
const MAX_DESCRIPTION_LENGTH = 500;
const MAX_TYPE_LENGTH = 50;
/** The characters that BigQuery allows in names of columns. None of them has a meaning between backticks. */
const COLUMN_NAME = /^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd}&%=+:'<>#|, ]{1,300}$/u;
/** Tables of rows. The metadata of views state no size, or zero. */
const STORED_TYPES: readonly unknown[] = ['TABLE', 'SNAPSHOT'];

/** Reads the metadata of a table. */
export function readTable(id: TableId, reply: unknown): BigqueryTable {
  const record = readRecord(BIGQUERY, reply);
  checkReference(id, record.tableReference);
  const { location, type, streamingBuffer, requirePartitionFilter, timePartitioning } = record;
  if (typeof location !== 'string' || !/^[A-Za-z0-9-]{1,64}$/.test(location)) throw malformed(BIGQUERY, 'a location');
  const isStored = STORED_TYPES.includes(type);
  // Rows of the streaming buffer are not included in the size.
  const isSized = isStored && (streamingBuffer === undefined || streamingBuffer === null);
  return {
    id,
    name: `${PUBLIC_PROJECT}.${id.dataset}.${id.table}`,
    title: readText(record.friendlyName, MAX_TITLE_LENGTH) || id.table,
    columns: readColumns(record.schema),
    rows: isStored ? readCount(record.numRows, 'a number of rows') : null,
    ranges: new Map(),
    lastUpdate: readInstant(record.lastModifiedTime),
    publisher: 'Google Cloud public datasets',
    // Metadata contain no field for a license.
    license: { name: UNSTATED_LICENSE, url: null },
    notes: readText(record.description, MAX_NOTES_LENGTH) || null,
    location,
    bytes: isSized ? readCount(record.numBytes, 'a size') : null,
    requiresPartitionFilter:
      requirePartitionFilter === true ||
      (isRecord(timePartitioning) && timePartitioning.requirePartitionFilter === true),
  };
}

function checkReference({ dataset, table }: TableId, reference: unknown): void {
  const { projectId, datasetId, tableId } = readRecord(BIGQUERY, reference);
  const isSame = projectId === PUBLIC_PROJECT && datasetId === dataset && tableId === table;
  if (!isSame) throw malformed(BIGQUERY, 'another table');
}

function readColumns(schema: unknown): readonly BigqueryColumn[] {
  if (schema === undefined) return [];
  const { fields = [] } = readRecord(BIGQUERY, schema);
  const columns = readRecords(BIGQUERY, fields).map(readColumn);
  // Names of columns are the same in upper and lower case.
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  if (columns.length > MAX_COLUMNS || names.size < columns.length) throw malformed(BIGQUERY, 'columns');
  return columns;
}

function readColumn({ name, type, mode, description }: Reply): BigqueryColumn {
  if (typeof name !== 'string' || typeof type !== 'string') throw malformed(BIGQUERY, 'a column');
  const known = mode === 'REPEATED' || !COLUMN_NAME.test(name) ? undefined : TYPES.get(type);
  const text = readText(description, MAX_DESCRIPTION_LENGTH);
  return {
    name,
    kind: known?.[1] ?? 'other',
    type: known?.[0] ?? cleanText(type, MAX_TYPE_LENGTH),
    isRequired: mode === 'REQUIRED',
    ...(text !== '' && { description: text }),
  };
}

function readText(value: unknown, maxLength: number): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw malformed(BIGQUERY, 'not a text');
  return cleanText(value, maxLength);
}

/** Reads a number that JSON contains as text, because it can have 64 bits; null if it is not stated. */
export function readCount(value: unknown, detail: string): number | null {
  if (value === undefined || value === null) return null;
  const count = typeof value === 'string' && /^\d{1,19}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw malformed(BIGQUERY, detail);
  return count;
}

function readInstant(value: unknown): string | null {
  const ms = readCount(value, 'an instant');
  if (ms === null) return null;
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw malformed(BIGQUERY, 'an instant');
  return date.toISOString();
}
