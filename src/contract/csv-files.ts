import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

export const MAX_CSV_BYTES = 50 * 1024 ** 2;
export const MAX_CSV_ROWS = 1_000_000;
export const MAX_CSV_COLUMNS = 200;
export const MAX_CSV_CELL = 10_000;
export const MAX_CSV_COLUMN_NAME = 200;
/** Of one workspace. */
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

/** How the cells of a column are written, where there is more than one way to write them. */
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

const CsvColumn = z
  .strictObject({
    name: z.string(),
    type: z.enum(CSV_COLUMN_TYPES),
    format: z.enum(CSV_FORMATS).nullable().describe('How its numbers or times are written.'),
    nulls: z.int().describe('Cells that are empty or say that there is no value: NA, N/A, #N/A, NaN, null and a dot.'),
    examples: z.array(z.string()).describe('The first three different values, shortened.'),
    note: z.string().nullable().describe('What keeps a column that looks like numbers or times from being one.'),
  })
  .meta({ id: 'CsvColumn' });

const listed = {
  id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  rows: z.int(),
  size_bytes: z.int().describe('As it was uploaded.'),
  sha256: z.string().describe('Of the bytes as they were uploaded.'),
  time_field: z.string().nullable().describe('The column that is most likely the time of each row.'),
  value_field: z.string().nullable().describe('The column that is most likely what to forecast.'),
  frequency: z.string().nullable().describe('Of the rows by that time; null where it cannot be told.'),
  uploaded_by: z.string().nullable(),
  created_at: instant(),
};

const ListedCsvFile = z.strictObject({ ...listed, columns: z.int() }).meta({ id: 'ListedCsvFile' });

const described = {
  ...listed,
  encoding: z.enum(CSV_ENCODINGS),
  delimiter: z.enum(CSV_DELIMITERS),
  header: z.enum(['present', 'absent']),
  columns: z.array(CsvColumn),
};

export const CsvFile = z.strictObject(described).meta({ id: 'CsvFile' });

const CsvFilePage = z
  .strictObject({
    ...described,
    /** The texts of the cells, in the order of the columns. */
    page: z.array(z.array(z.string())),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'CsvFilePage' });

const PATH = '/v1/workspaces/{workspace_id}/csv';
const inWorkspace = z.strictObject({ workspace_id: identifier() });
const byId = z.strictObject({ workspace_id: identifier(), csv_id: identifier() });
const page = (limit: z.ZodType<number>) => z.strictObject({ limit, cursor: text({ max: 500 }).optional() });

export const csvFileOperations = {
  listCsvFiles: operation({
    group: 'Workspaces',
    method: 'GET',
    path: PATH,
    action: 'csv.list',
    summary: 'The files of a workspace',
    description: 'Newest first: those that the caller’s resource scope lets it see.',
    params: inWorkspace,
    query: page(z.coerce.number().int().min(1).max(100).default(20)),
    status: 200,
    reply: resource(z.strictObject({ files: z.array(ListedCsvFile), next_cursor: z.string().nullable() })),
    errors: ['WORKSPACE_DENIED'],
  }),
  uploadCsvFile: operation({
    group: 'Workspaces',
    method: 'POST',
    path: PATH,
    action: 'csv.write',
    summary: 'Add a file to a workspace',
    description:
      'The body is the file: up to 50 MiB, 1,000,000 rows and 200 columns. Encoding, delimiter, header and the types of the columns are detected; parameters of the media type say what they are: `charset`, `delimiter=comma|semicolon|tab|pipe`, `header=present|absent`, and `dates=day_first|month_first` for dates that can be read both ways. A file that cannot be read is refused with the line at fault, and nothing of it is kept.',
    params: inWorkspace,
    query: z.strictObject({ name: name({ max: 200 }) }),
    upload: { mediaType: 'text/csv', limit: MAX_CSV_BYTES },
    status: 201,
    reply: resource(CsvFile),
    errors: ['WORKSPACE_DENIED', 'LIMIT_REACHED'],
  }),
  readCsvFile: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${PATH}/{csv_id}`,
    action: 'csv.read',
    summary: 'What a file holds',
    description:
      'Its description and a page of its rows as they stand in it. A page ends early where its rows are very long; `next_cursor` leads to the next.',
    params: byId,
    query: page(z.coerce.number().int().min(1).max(MAX_CSV_PAGE).default(20)),
    status: 200,
    reply: resource(CsvFilePage),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
  downloadCsvFile: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${PATH}/{csv_id}/download`,
    action: 'csv.download',
    summary: 'A file, to keep',
    description:
      'UTF-8 with commas and CRLF, whatever the upload had. A cell that a spreadsheet would run as a formula has an apostrophe before it.',
    params: byId,
    status: 200,
    reply: resource(CsvFile),
    attachment: 'always',
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
  deleteCsvFile: operation({
    group: 'Workspaces',
    method: 'DELETE',
    path: `${PATH}/{csv_id}`,
    action: 'csv.write',
    summary: 'Remove a file',
    description: 'Forecasts that were made from it stay: their rows were frozen when they were made.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
};
