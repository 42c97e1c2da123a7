import type { WarehouseColumn } from '../engine.ts';
import { quoteName, quoteText } from './duckdb-dialect.ts';
import { fileNameUnsupported } from './faults.ts';
import { toPattern } from './file-patterns.ts';

export interface CsvOptions {
  readonly delimiter: string;
  /** The names of all columns in the order of the file. The files of a table have equal headers. */
  readonly header: readonly string[];
  /** The columns of the file that the query uses. */
  readonly columns: readonly WarehouseColumn[];
  /** The columns whose values are in the names of the folders. */
  readonly hive?: readonly WarehouseColumn[] | undefined;
}

/**
 * Returns Parquet files as DuckDB spells them after FROM.
 *
 * @param hive the columns whose values are in the names of the folders
 */
export function parquetTable(files: readonly string[], hive: readonly WarehouseColumn[] = []): string {
  return `read_parquet(${[fileList(files, hive), ...hiveOptions(hive)].join(', ')})`;
}

/**
 * Returns CSV files as DuckDB spells them after FROM. DuckDB detects nothing: it reads every cell as text, and only the
 * columns of the query are converted. An empty cell is NULL. Columns are numbered, because DuckDB ignores case in names
 * and a header can have the same name twice.
 */
export function csvTable(files: readonly string[], { delimiter, header, columns, hive = [] }: CsvOptions): string {
  const numbered = header.map((_, i) => `${quoteText(cellName(i))}: 'VARCHAR'`);
  const options = [
    'auto_detect = false',
    'header = true',
    `delim = ${quoteText(delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `nullstr = ''`,
    `compression = 'none'`,
    `columns = {${numbered.join(', ')}}`,
    ...hiveOptions(hive),
  ];
  const selected = [
    ...columns.map((column) => convertedCell(column, header.indexOf(column.name))),
    ...hive.map(({ name }) => quoteName(name)),
  ];
  return `(SELECT ${selected.join(', ')} FROM read_csv(${[fileList(files, hive), ...options].join(', ')}))`;
}

function cellName(index: number): string {
  return `cell ${index}`;
}

function convertedCell(column: WarehouseColumn, index: number): string {
  if (index === -1) throw new Error('The header does not contain a column of the query.');
  return `${convert(quoteName(cellName(index)), column)} AS ${quoteName(column.name)}`;
}

/**
 * Converts a cell to the kind of its column. DuckDB's own conversions would change some cells silently: 1.5 to the
 * integer 2, a time to its day, and a time with a zone to one without it.
 */
function convert(cell: string, { kind, type }: WarehouseColumn): string {
  if (kind === 'text') return cell;
  return convertContent(`nullif(trim(${cell}, ' ' || chr(9)), '')`, kind, type);
}

/** @param cell the text of a cell without the spaces around it; NULL if it is empty */
function convertContent(cell: string, kind: Exclude<WarehouseColumn['kind'], 'text'>, type: string): string {
  switch (kind) {
    case 'integer':
      return checked(cell, '[+-]?[0-9]+', 'BIGINT');
    case 'number':
      return `CAST(${cell} AS DOUBLE)`;
    case 'boolean':
      return `CAST(${cell} AS BOOLEAN)`;
    case 'date':
      return checked(cell, '[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}', 'DATE');
    case 'datetime':
      return `CAST(CAST(${cell} AS TIMESTAMPTZ) AS TIMESTAMP)`;
    case 'timestamp':
      return `CAST(${cell} AS TIMESTAMPTZ)`;
    case 'other':
      throw new Error(`Columns of the type ${type} cannot be read.`);
  }
}

/** Casts a cell that matches a pattern. The error for others has the words of DuckDB's own. */
function checked(cell: string, pattern: string, type: string): string {
  const error = `error('Could not convert string ''' || ${cell} || ''' to ${type}')`;
  return `CASE WHEN ${cell} IS NULL OR regexp_full_match(${cell}, '${pattern}') THEN CAST(${cell} AS ${type}) ELSE CAST(${error} AS ${type}) END`;
}

const HIVE_TYPES: Partial<Record<WarehouseColumn['kind'], string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  timestamp: 'TIMESTAMPTZ',
};

function hiveOptions(hive: readonly WarehouseColumn[]): string[] {
  // Without the option, DuckDB detects partitions, even in the names of folders above the table.
  if (hive.length === 0) return ['hive_partitioning = false'];
  const types = hive.map(({ name, kind }) => `${quoteText(name)}: ${HIVE_TYPES[kind] ?? 'VARCHAR'}`);
  return ['hive_partitioning = true', 'hive_types_autocast = false', `hive_types = {${types.join(', ')}}`];
}

function fileList(files: readonly string[], hive: readonly WarehouseColumn[]): string {
  // DuckDB ends the value of a partition at these characters.
  if (hive.length > 0 && files.some((file) => /[?\\]/.test(file))) throw fileNameUnsupported();
  return `[${files.map((file) => quoteText(toPattern(file))).join(', ')}]`;
}
