import { type Reply, sendText } from '../platform/wire-server.ts';
import { QueryError } from './bigquery-parser.ts';
import { type AllowedQuery, parseAllowedQuery } from './bigquery-query.ts';
import {
  type Cell,
  type Field,
  formatValue,
  parseValue,
  sizeOf,
  standardType,
  toValue,
  type Value,
  ValueError,
} from './bigquery-values.ts';
import { type Row, runBigqueryQuery } from './run-bigquery-query.ts';

/** A table of the project bigquery-public-data. */
export interface ServedTable {
  readonly dataset: string;
  readonly table: string;
  readonly fields: readonly Field[];
  readonly rows: readonly (readonly Cell[])[];
  /** Default: US. */
  readonly location?: string;
  /** The column that a query must filter, if it must filter one. */
  readonly requiredPartition?: string;
  /** The bytes that a query of the table reads. Default: those of the columns. */
  readonly bytes?: number;
  /** Replaces fields of the metadata; undefined removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A reply with an error, in the form of Google's APIs or of its token endpoint. */
export class ErrorReply extends Error {
  readonly send: Reply;

  constructor(status: number, reason: string, message: string, form: 'api' | 'oauth' = 'api') {
    super(message);
    const location = reason === 'invalidQuery' ? { location: 'q', locationType: 'parameter' } : {};
    const errors = [{ message, domain: 'global', reason, ...location }];
    const body =
      form === 'oauth' ? { error: reason, error_description: message } : { error: { code: status, message, errors } };
    this.send = sendText(JSON.stringify(body, null, 2), status, { 'content-type': 'application/json; charset=UTF-8' });
  }
}

const MIB = 1024 * 1024;
/** BigQuery bills at least as many bytes for a table. */
const MIN_BILLED_BYTES = 10 * MIB;
const MODIFIED = Date.UTC(2024, 4, 6, 7, 8, 9);

/** The fields of a request of `jobs.query`, with the types that they have in JSON. */
const REQUEST_FIELDS: Readonly<Record<string, string>> = {
  query: 'string',
  maxResults: 'number',
  timeoutMs: 'number',
  jobTimeoutMs: 'string',
  dryRun: 'boolean',
  useQueryCache: 'boolean',
  useLegacySql: 'boolean',
  parameterMode: 'string',
  queryParameters: 'object',
  location: 'string',
  formatOptions: 'object',
  maximumBytesBilled: 'string',
  requestId: 'string',
};

const invalidQuery = (message: string) => new ErrorReply(400, 'invalidQuery', message);

/** Returns the metadata of a table. */
export function describeTable(
  tables: readonly ServedTable[],
  { project, dataset, table }: { readonly project: string; readonly dataset: string; readonly table: string },
): unknown {
  const found = project === 'bigquery-public-data' ? findTable(tables, dataset, table) : undefined;
  if (found === undefined) throw new ErrorReply(404, 'notFound', `Not found: Table ${project}:${dataset}.${table}`);
  const bytes = toRows(found).reduce((total, row) => total + sizeOfRow(row), 0);
  const metadata = {
    kind: 'bigquery#table',
    id: `${project}:${dataset}.${table}`,
    tableReference: { projectId: project, datasetId: dataset, tableId: table },
    schema: { fields: found.fields.map((field) => ({ mode: 'NULLABLE', ...field })) },
    numBytes: String(bytes),
    numLongTermBytes: '0',
    numRows: String(found.rows.length),
    creationTime: String(MODIFIED),
    lastModifiedTime: String(MODIFIED),
    type: 'TABLE',
    location: found.location ?? 'US',
    ...(found.requiredPartition !== undefined && {
      timePartitioning: { type: 'DAY', field: found.requiredPartition },
      requirePartitionFilter: true,
    }),
    ...found.metadata,
  };
  return metadata;
}

/** Checks and runs a query. */
export function startQuery(tables: readonly ServedTable[], body: unknown) {
  const request = checkRequest(body);
  const query = parse(String(request.query));
  const table = findTable(tables, query.dataset, query.table);
  const name = `bigquery-public-data:${query.dataset}.${query.table}`;
  const location = String(request.location ?? 'US');
  if (table === undefined || (table.location ?? 'US') !== location) {
    throw new ErrorReply(404, 'notFound', `Not found: Table ${name} was not found in location ${location}`);
  }
  checkTable(query, table, name);
  const rows = toRows(table);
  const columns = [...query.columns];
  const read = rows.flatMap((row) => columns.map((column) => row.get(column) ?? null));
  const bytes = table.bytes ?? read.reduce((total, value) => total + sizeOf(value), 0);
  const billed = Math.max(MIN_BILLED_BYTES, Math.ceil(bytes / MIB) * MIB);
  if (request.dryRun !== true && billed > Number(request.maximumBytesBilled ?? Number.POSITIVE_INFINITY)) {
    const message = `Query exceeded limit for bytes billed: ${request.maximumBytesBilled}. ${billed} or higher required.`;
    throw new ErrorReply(400, 'bytesBilledLimitExceeded', message);
  }
  const parameters = readParameters(request);
  try {
    const result = runBigqueryQuery(query, rows, parameters);
    return { request, location, bytes, rows: result.map((cells) => cells.map(formatValue)) };
  } catch (error) {
    if (error instanceof ValueError) throw invalidQuery(error.message);
    throw error;
  }
}

function checkRequest(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null) throw new ErrorReply(400, 'parseError', 'Parse Error');
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(REQUEST_FIELDS, name) || typeof value !== REQUEST_FIELDS[name]) {
      throw new ErrorReply(
        400,
        'badRequest',
        `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
      );
    }
  }
  const request = body as Readonly<Record<string, unknown>>;
  // The default is true.
  if (request.useLegacySql !== false) throw invalidQuery('Encountered legacy SQL.');
  return request;
}

function parse(sql: string): AllowedQuery {
  try {
    return parseAllowedQuery(sql);
  } catch (error) {
    if (error instanceof QueryError) throw invalidQuery(`Syntax error: ${error.message}`);
    throw error;
  }
}

function checkTable(query: AllowedQuery, { fields, requiredPartition }: ServedTable, name: string): void {
  for (const column of query.columns) {
    if (!fields.some((field) => field.name === column)) throw invalidQuery(`Unrecognized name: ${column}`);
  }
  const isFiltered = query.conditions.some(
    ({ column, operator }) => column === requiredPartition && operator !== 'IS NOT NULL',
  );
  if (requiredPartition !== undefined && !isFiltered) {
    throw invalidQuery(
      `Cannot query over table '${name}' without a filter over column(s) '${requiredPartition}' that can be used for partition elimination`,
    );
  }
}

function readParameters({ parameterMode, queryParameters = [] }: Readonly<Record<string, unknown>>) {
  const parameters = new Map<string, NonNullable<Value>>();
  const given = queryParameters as readonly {
    readonly name: string;
    readonly parameterType: { readonly type: string };
    readonly parameterValue: { readonly value: unknown };
  }[];
  if (given.length > 0 && parameterMode !== 'NAMED') throw invalidQuery('Positional parameters are not supported');
  for (const { name, parameterType, parameterValue } of given) {
    const { value } = parameterValue;
    if (typeof value !== 'string' || parameters.has(name)) throw invalidQuery(`Invalid query parameter ${name}`);
    try {
      parameters.set(name, parseValue(parameterType.type, value));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw invalidQuery(`Invalid value of type ${parameterType.type} for query parameter ${name}`);
    }
  }
  return parameters;
}

function findTable(tables: readonly ServedTable[], dataset: string, table: string): ServedTable | undefined {
  return tables.find((served) => served.dataset === dataset && served.table === table);
}

function toRows({ fields, rows }: ServedTable): readonly Row[] {
  return rows.map((cells) => {
    const values = fields.map(({ name, type, mode }, i): readonly [string, Value] => {
      const isScalar = mode !== 'REPEATED' && standardType(type) !== 'RECORD';
      return [name, isScalar ? toValue(type, cells[i] ?? null) : null];
    });
    return new Map(values);
  });
}

function sizeOfRow(row: Row): number {
  return [...row.values()].reduce((total, value) => total + sizeOf(value), 0);
}
