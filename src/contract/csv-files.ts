import { z } from 'zod';
import {
  CSV_COLUMN_TYPES,
  CSV_DELIMITERS,
  CSV_ENCODINGS,
  CSV_FORMATS,
  CSV_SKIPPED_KINDS,
  MAX_CSV_BYTES,
  MAX_CSV_COLUMN_NAME,
  MAX_CSV_PAGE,
} from './csv-vocabulary.ts';
import { identifier, instant, text, timestamp } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

const CsvColumn = z
  .strictObject({
    name: z.string(),
    type: z.enum(CSV_COLUMN_TYPES),
    format: z.enum(CSV_FORMATS).nullable().describe('The notation of the numbers or times in the column.'),
    nulls: z.int().describe('Number of cells without a value: empty, NA, N/A, #N/A, NaN, null or a dot.'),
    examples: z.array(z.string()).describe('The first three distinct values, shortened.'),
    note: z.string().nullable().describe('Why a column that seems to hold numbers or times was read as text.'),
  })
  .meta({ id: 'CsvColumn' });

const listed = {
  id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  rows: z.int(),
  size_bytes: z.int().describe('Size of the uploaded file.'),
  sha256: z.string().describe('SHA-256 of the uploaded bytes.'),
  time_field: z.string().nullable().describe('The column that most likely holds the time of each row.'),
  value_field: z.string().nullable().describe('The column that most likely holds the values to forecast.'),
  frequency: z.string().nullable().describe('Frequency of the times in `time_field`; null if it cannot be inferred.'),
  uploaded_by: z.string().nullable(),
  created_at: instant(),
};

const ListedCsvFile = z.strictObject({ ...listed, columns: z.int() }).meta({ id: 'ListedCsvFile' });

const SkippedLine = z
  .strictObject({
    line: z.int(),
    kind: z.enum(CSV_SKIPPED_KINDS),
    text: z.string().describe('The line, shortened.'),
  })
  .meta({ id: 'SkippedLine' });

const described = {
  ...listed,
  encoding: z.enum(CSV_ENCODINGS),
  delimiter: z.enum(CSV_DELIMITERS),
  header: z.enum(['present', 'absent']),
  columns: z.array(CsvColumn),
  skipped: z
    .array(SkippedLine)
    .describe(
      'The lines that are not rows: titles above the header, units below it, and footer rows such as a total. They are not stored with the rows.',
    ),
};

export const CsvFile = z.strictObject(described).meta({ id: 'CsvFile' });

const CsvFilePage = z
  .strictObject({
    ...described,
    page: z
      .array(z.array(z.string()))
      .describe('One list per row, with the text of each cell in the order of the columns.'),
    lines: z.array(z.int()).describe('The line of each row of `page` in the uploaded file.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'CsvFilePage' });

/** A file of 50 MiB has fewer lines. */
const MAX_LINE = 100_000_000;

const MAX_SERIES_ROWS = 5_000;

const CsvSeries = z
  .strictObject({
    csv_id: z.string(),
    workspace_id: z.string(),
    time_field: z.string(),
    value_field: z.string(),
    frequency: z.string(),
    dated_by: z
      .string()
      .nullable()
      .describe('How the rows got the timestamps of their periods; null if their times are unchanged.'),
    count: z.int().describe('Number of rows with a value. At most the last 50,000 are used.'),
    span: z.strictObject({ start: instant(), end: instant() }),
    rows: z.array(z.strictObject({ timestamp: instant(), value: z.number() })).describe('The last `limit` rows.'),
  })
  .meta({ id: 'CsvSeries' });

const CsvStorage = z
  .strictObject({
    files: z.int(),
    bytes: z.int().describe('Size of all files of the workspace, as uploaded.'),
    max_files: z.int(),
    max_bytes: z.int(),
  })
  .nullable()
  .describe('What the files of the workspace take up. Null for a member whose resource scope does not have all files.')
  .meta({ id: 'CsvStorage' });

const PATH = '/v1/workspaces/{workspace_id}/csv';
const inWorkspace = z.strictObject({ workspace_id: identifier() });
const byId = z.strictObject({ workspace_id: identifier(), csv_id: identifier() });
const page = <Limit extends z.ZodType<number>>(limit: Limit) =>
  z.strictObject({ limit, cursor: text({ max: 500 }).optional() });

export const csvFileOperations = {
  listCsvFiles: operation({
    group: 'Workspaces',
    method: 'GET',
    path: PATH,
    action: 'csv.list',
    summary: 'List the files of a workspace',
    description: 'Lists the files within the caller’s resource scope, newest first.',
    params: inWorkspace,
    query: page(z.coerce.number().int().min(1).max(100).default(20)),
    status: 200,
    reply: resource(
      z.strictObject({ files: z.array(ListedCsvFile), next_cursor: z.string().nullable(), storage: CsvStorage }),
    ),
    errors: ['WORKSPACE_DENIED'],
  }),
  uploadCsvFile: operation({
    group: 'Workspaces',
    method: 'POST',
    path: PATH,
    action: 'csv.write',
    summary: 'Upload a file to a workspace',
    description:
      'The body is the file, limited to 50 MiB, 1,000,000 rows and 200 columns. The encoding, delimiter, header and column types are detected. Parameters of the media type override the detection: `charset`, `delimiter=comma|semicolon|tab|pipe`, `header=present|absent`, and `dates=day_first|month_first` for ambiguous dates. If the file is invalid, nothing is stored and the error names the first invalid line.',
    params: inWorkspace,
    query: z.strictObject({
      name: name({ max: 200 }),
      replaces: identifier()
        .optional()
        .describe(
          'The id of a file that is deleted when the new one is stored. A member whose access is limited to it gets access to the new one.',
        ),
      not_since: timestamp()
        .optional()
        .describe(
          'If the caller has uploaded the same file since this time, with the same name, bytes and reading, that file is returned and nothing is stored. Forms send the time at which they were shown.',
        ),
    }),
    upload: { mediaType: 'text/csv', limit: MAX_CSV_BYTES },
    weight: 5,
    heavy: 'transfer',
    status: 201,
    reply: resource(CsvFile),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'LIMIT_REACHED'],
  }),
  readCsvFile: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${PATH}/{csv_id}`,
    action: 'csv.read',
    summary: 'Read a file',
    description:
      'Returns the description of the file and a page of its rows. A page can contain fewer rows than `limit` if the rows are very long. Pass `next_cursor` as `cursor` to read the next page.',
    params: byId,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(MAX_CSV_PAGE).default(20),
      cursor: text({ max: 500 }).optional(),
      line: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_LINE)
        .optional()
        .describe('Begins with the row on this line, or the next one. Cannot be combined with `cursor`.'),
    }),
    weight: 2,
    heavy: 'work',
    status: 200,
    reply: resource(CsvFilePage),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
  readCsvSeries: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${PATH}/{csv_id}/series`,
    action: 'csv.read',
    summary: 'Read the series of two columns of a file',
    description:
      'Returns the rows as a forecast with a source of the type `workspace_csv` would read them: ordered, without gaps, and dated by their frequency. If the columns are not a series, the error is the same as for the forecast and names the line.',
    params: byId,
    query: z.strictObject({
      time_field: text({ max: MAX_CSV_COLUMN_NAME }),
      value_field: text({ max: MAX_CSV_COLUMN_NAME }),
      limit: z.coerce.number().int().min(1).max(MAX_SERIES_ROWS).default(500),
    }),
    weight: 2,
    heavy: 'work',
    status: 200,
    reply: resource(CsvSeries),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'INSUFFICIENT_HISTORY'],
  }),
  downloadCsvFile: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${PATH}/{csv_id}/download`,
    action: 'csv.download',
    summary: 'Download a file',
    description:
      'Returns the file in UTF-8 with commas as delimiters and CRLF line endings, regardless of the format of the upload. An apostrophe is put before cells that a spreadsheet would evaluate as a formula.',
    params: byId,
    weight: 5,
    heavy: 'transfer',
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
    summary: 'Delete a file',
    description: 'Forecasts made from the file are kept, because each forecast stores its rows when it is created.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
};
