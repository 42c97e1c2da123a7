import {
  DuckDBDateValue,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBVector,
  StatementType,
} from '@duckdb/node-api';
import type { QueryParameter } from '../build-query.ts';
import type { FilterValue, RawRows } from '../engine.ts';
import type { DuckdbQuery } from './child-messages.ts';
import { toPattern } from './file-patterns.ts';

const MAX_THREADS = 2;
const MEMORY_LIMIT = '512MB';
const MAX_TEMP_SIZE = '1GB';
/** More than a query selects. It protects the memory of this process and of the service. */
const MAX_ROWS = 100_000;
const DAY_MS = 86_400_000;
/** An interrupt is repeated, because one that arrives before the query has begun has no effect. */
const INTERRUPT_EVERY_MS = 20;

/** Opens an instance of DuckDB for one query. Until `runSelect` locks it, it can open any file. The caller closes it. */
export function openInstance(tempFolder: string): Promise<DuckDBInstance> {
  return DuckDBInstance.create(':memory:', {
    threads: String(MAX_THREADS),
    memory_limit: MEMORY_LIMIT,
    temp_directory: tempFolder,
    max_temp_directory_size: MAX_TEMP_SIZE,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  });
}

/**
 * Runs a query in a new instance of DuckDB, which can then open only the files of the query and its own temporary files.
 * The result is oldest first, although the query selects the latest rows first.
 */
export async function runSelect(query: DuckdbQuery, instance: DuckDBInstance, signal: AbortSignal): Promise<RawRows> {
  const connection = await instance.connect();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    timer ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    // From the second last statement on, the allowed paths cannot be extended; from the last one on, nothing can be set.
    const settings = [
      `SET TimeZone = 'UTC'`,
      // Setting the number again would start the threads again.
      ...(query.threads === MAX_THREADS ? [] : [`SET threads = ${query.threads}`]),
      `SET allowed_paths = [${allowedPaths(query.files)}]`,
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ];
    await connection.run(settings.join('; '));
    const statements = await connection.extractStatements(query.sql);
    if (statements.count !== 1) throw new Error('Only one statement can be run.');
    signal.throwIfAborted();
    const statement = await statements.prepare(0);
    if (statement.statementType !== StatementType.SELECT) throw new Error('Only SELECT can be run.');
    if (statement.columnCount !== 2) throw new Error('Only queries with two columns can be run.');
    for (const parameter of query.parameters) bind(statement, parameter);
    signal.throwIfAborted();
    return await readRows(await statement.stream(), signal);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(timer);
    connection.disconnectSync();
  }
}

/** Returns the files, and the patterns that stand for them in the query. */
function allowedPaths(files: readonly string[]): string {
  const paths = new Set(files.flatMap((file) => [file, toPattern(file)]));
  return [...paths].map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
}

/** Binds a value. The placeholders of the dialect convert it to the type of the column. */
function bind(statement: DuckDBPreparedStatement, { name, column, value }: QueryParameter): void {
  const index = statement.parameterIndex(name);
  if (column.kind === 'integer') bindInteger(statement, index, BigInt(value));
  else if (column.kind === 'boolean') statement.bindBoolean(index, value === true);
  else if (column.kind === 'date') statement.bindDate(index, new DuckDBDateValue(Math.floor(Number(value) / DAY_MS)));
  else if (column.kind === 'datetime') statement.bindTimestamp(index, new DuckDBTimestampValue(toMicroseconds(value)));
  else if (column.kind === 'timestamp')
    statement.bindTimestampTZ(index, new DuckDBTimestampTZValue(toMicroseconds(value)));
  // Decimal numbers are bound as text, so that no digit is lost.
  else statement.bindVarchar(index, String(value));
}

function bindInteger(statement: DuckDBPreparedStatement, index: number, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) statement.bindBigInt(index, value);
  else statement.bindHugeInt(index, value);
}

function toMicroseconds(milliseconds: FilterValue): bigint {
  return BigInt(milliseconds) * 1000n;
}

async function readRows(result: DuckDBResult, signal: AbortSignal): Promise<RawRows> {
  const chunks: RawRows[] = [];
  let count = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    signal.throwIfAborted();
    if (chunk === null || chunk.rowCount === 0) break;
    count += chunk.rowCount;
    if (count > MAX_ROWS) throw new Error(`The query selects more than ${MAX_ROWS} rows.`);
    chunks.push({ times: toDoubles(chunk.getColumnVector(0)), values: toDoubles(chunk.getColumnVector(1)) });
  }
  return { times: joinReversed(chunks, 'times', count), values: joinReversed(chunks, 'values', count) };
}

function toDoubles(vector: DuckDBVector): Float64Array {
  const doubles = new Float64Array(vector.itemCount);
  for (let i = 0; i < doubles.length; i++) {
    const item = vector.getItem(i);
    doubles[i] = item === null ? Number.NaN : Number(item);
  }
  return doubles;
}

function joinReversed(chunks: readonly RawRows[], column: keyof RawRows, count: number): Float64Array {
  const joined = new Float64Array(count);
  let end = count;
  for (const chunk of chunks) {
    const items = chunk[column].reverse();
    end -= items.length;
    joined.set(items, end);
  }
  return joined;
}
