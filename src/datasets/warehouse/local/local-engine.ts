import type { Clock, Log } from '../../../platform/index.ts';
import { buildQuery } from '../build-query.ts';
import { DUCKDB_DIALECT } from '../duckdb/duckdb-dialect.ts';
import { csvTable, parquetTable } from '../duckdb/duckdb-tables.ts';
import type { QueryRunner } from '../duckdb/query-runner.ts';
import {
  MAX_READ_BYTES,
  type RawRows,
  type WarehouseColumn,
  type WarehouseEngine,
  type WarehouseQuery,
} from '../engine.ts';
import { tableNotFound } from '../faults.ts';
import { createSharedReads } from '../shared-reads.ts';
import { estimateRead } from './estimate.ts';
import { tableChanged } from './faults.ts';
import { isUnchanged } from './find-table-files.ts';
import { createLocalFolder } from './local-folder.ts';
import type { LocalFile, LocalTable } from './local-table.ts';
import { versionKey } from './version-cache.ts';

export interface LocalEngineOptions {
  /** The folder ALMANAC_WAREHOUSE; null if there is none. The bundled table needs no folder. */
  readonly folder: string | null;
  readonly runner: Pick<QueryRunner, 'run'>;
  readonly log: Pick<Log, 'warn'>;
  readonly clock: Clock;
}

export interface LocalEngine extends WarehouseEngine<LocalTable> {
  /** Returns all tables that can be read, sorted by name. The others are logged. */
  list(): Promise<readonly LocalTable[]>;
  /** Returns a text that changes when files of tables change. It may be some seconds old. */
  version(): Promise<string>;
  /** Returns whether a table is installed with the service, and not replaced by one of the operator. */
  isBundled(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A read is repeated this many times if files change meanwhile. */
const MAX_ATTEMPTS = 2;

/** Creates the engine of the tables in the warehouse folder and of the bundled one. */
export function createLocalEngine({ folder: path, runner, log, clock }: LocalEngineOptions): LocalEngine {
  const folder = createLocalFolder({ path, log, clock });
  // Few queries can wait, so that equal reads must not take the places of others.
  const shared = createSharedReads();

  /** Returns null if files changed before or during the read. */
  const readRows = async (
    table: LocalTable,
    query: WarehouseQuery,
    files: readonly LocalFile[],
    signal?: AbortSignal,
  ): Promise<RawRows | null> => {
    if (files.length === 0) return { times: new Float64Array(), values: new Float64Array() };
    if (!(await isUnchanged(files))) return null;
    const { sql, parameters } = buildQuery(query, spellTable(table, query, files), DUCKDB_DIALECT);
    const run = { sql, parameters, files: files.map((file) => file.path), threads: countThreads(table, query) };
    try {
      const rows = await runner.run(run, signal);
      return (await isUnchanged(files)) ? rows : null;
    } catch (error) {
      // A file that was replaced during the read can make it fail.
      if (signal?.aborted || (await isUnchanged(files))) throw error;
      return null;
    }
  };

  /** Reads the metadata of a changed table again. The columns of the query must still be the same. */
  const describeAgain = async (table: LocalTable, query: WarehouseQuery, signal?: AbortSignal): Promise<LocalTable> => {
    const changed = await folder.describe(table.name, signal);
    if (changed === null) throw tableNotFound(table.name);
    const types = new Map(changed.columns.map(({ name, kind, type }) => [name, `${kind} ${type}`]));
    if (columnsOf(query).some(({ name, kind, type }) => types.get(name) !== `${kind} ${type}`)) throw tableChanged();
    return changed;
  };

  const readUnchanged = async (
    table: LocalTable,
    query: WarehouseQuery,
    estimatedBytes: number,
    signal: AbortSignal,
  ): Promise<RawRows> => {
    let current = table;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt > 0) current = await describeAgain(table, query, signal);
      const { bytes, files } = estimateRead(current, query);
      // The table may have grown since the dry run.
      if (bytes > Math.max(estimatedBytes, MAX_READ_BYTES)) throw tableChanged();
      const rows = await readRows(current, query, files, signal);
      if (rows !== null) return rows;
    }
    throw tableChanged();
  };

  return {
    describe: (name, signal) => folder.describe(name, signal),
    estimate: (table, query) => estimateRead(table, query).bytes,
    dryRun: async (table, query) => estimateRead(table, query).bytes,
    read: (table, query, { signal, estimatedBytes }) =>
      shared.join(keyOfRead(table, query), signal, (sharedSignal) =>
        readUnchanged(table, query, estimatedBytes, sharedSignal),
      ),
    list: () => folder.list(),
    version: () => folder.version(),
    isBundled: (name) => folder.isBundled(name),
    close: () => folder.close(),
  };
}

/** Returns a text that is equal for reads of the same rows. */
function keyOfRead({ name, files }: LocalTable, query: WarehouseQuery): string {
  return JSON.stringify([name, files.map(versionKey), query]);
}

function columnsOf({ time, value, filters }: WarehouseQuery): readonly WarehouseColumn[] {
  return [time.column, value, ...filters.map(({ column }) => column)];
}

/** Returns files of a table as DuckDB spells them after FROM. */
function spellTable({ partitions, csv }: LocalTable, query: WarehouseQuery, files: readonly LocalFile[]): string {
  const paths = files.map(({ path }) => path);
  if (csv === undefined) return parquetTable(paths, partitions);
  const keys = new Set(partitions.map(({ name }) => name));
  const cells = new Map(columnsOf(query).map((column) => [column.name, column]));
  const columns = [...cells.values()].filter(({ name }) => !keys.has(name));
  return csvTable(paths, {
    ...csv,
    hive: partitions,
    // A column with integers at the beginning can have decimals later. Times have to be integers.
    columns: columns.map((column) => {
      const isNumber = column.kind === 'integer' && column.name !== query.time.column.name;
      return isNumber ? { ...column, kind: 'number', type: 'DOUBLE' } : column;
    }),
  });
}

/** Sums of doubles depend on the order of the rows, which is the same only on one thread. */
function countThreads({ format }: LocalTable, { value, aggregate }: WarehouseQuery): 1 | 2 {
  const isSum = aggregate?.function === 'sum' || aggregate?.function === 'mean';
  return isSum && (value.kind === 'number' || format === 'csv') ? 1 : 2;
}
