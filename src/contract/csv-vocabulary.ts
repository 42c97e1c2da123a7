export const MAX_CSV_BYTES = 50 * 1024 ** 2;
export const MAX_CSV_ROWS = 1_000_000;
export const MAX_CSV_COLUMNS = 200;
export const MAX_CSV_CELL = 10_000;
export const MAX_CSV_COLUMN_NAME = 200;
/** The longest name of a column of a warehouse table, which BigQuery allows. */
export const MAX_WAREHOUSE_COLUMN_NAME = 300;
/** Limits of one workspace. */
export const MAX_CSV_FILES = 200;
export const MAX_CSV_STORED_BYTES = 1024 ** 3;
export const MAX_CSV_PAGE = 1_000;

export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

export const CSV_DELIMITERS = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof CSV_DELIMITERS)[number];

/** The order of day and month in dates such as 01/02/2024. */
export const CSV_DATE_ORDERS = ['day_first', 'month_first'] as const;
export type CsvDateOrder = (typeof CSV_DATE_ORDERS)[number];

export const CSV_COLUMN_TYPES = ['number', 'timestamp', 'text', 'boolean', 'empty'] as const;
export type CsvColumnType = (typeof CSV_COLUMN_TYPES)[number];

/** The notations of the numbers or times in a column. */
export const CSV_FORMATS = [
  'decimal_point',
  'decimal_comma',
  'iso',
  'basic',
  'week',
  'month',
  'quarter',
  'year',
  ...CSV_DATE_ORDERS,
  'month_name',
] as const;
export type CsvFormat = (typeof CSV_FORMATS)[number];

/** The lines of a file that are not rows: a title above the header, units below it, or a footer such as a total. */
export const CSV_SKIPPED_KINDS = ['title', 'units', 'footer'] as const;
export type CsvSkippedKind = (typeof CSV_SKIPPED_KINDS)[number];
