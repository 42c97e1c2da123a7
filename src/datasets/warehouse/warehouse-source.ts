import type { Principal } from '../../access/index.ts';
import { type Cadence, countCompleted, daysBefore, type Frequency } from '../../calendar/index.ts';
import { MAX_OBSERVATIONS, type SeriesDescription, type WarehouseReference } from '../../contract/index.ts';
import type { ListedSeries, SeriesSource, SourceRows } from '../../snapshots/index.ts';
import { assignTimes } from './assign-times.ts';
import { canonicalReference } from './canonical-reference.ts';
import { checkReference } from './check-reference.ts';
import { describeSeries, providerOf } from './describe-series.ts';
import { MAX_READ_BYTES, type WarehouseEngine, type WarehouseTable } from './engine.ts';
import {
  emptySeries,
  publicTablesNotConfigured,
  readerAccountRequired,
  readTooLarge,
  tableNotFound,
} from './faults.ts';
import { type ListedTable, listTables } from './list-tables.ts';
import { parseTableName, type TableName } from './table-name.ts';

/** Tables that search lists. */
interface ListedTables {
  list(): Promise<readonly ListedTable[]>;
  /** Returns a text that changes when `list` returns tables with other entries, at little cost. */
  version(): Promise<string>;
}

export interface LocalTables extends WarehouseEngine, ListedTables {
  /** Returns whether a table is installed with the service, so that every caller may read it. */
  isBundled(name: string): Promise<boolean>;
}

/** The tables of the public-datasets project. */
export interface PublicTables {
  readonly engine: WarehouseEngine;
  /** The tables that callers have described. */
  readonly described: ListedTables;
}

export interface WarehouseSourceOptions {
  readonly clock: { now(): Date };
  readonly local: LocalTables;
  /** Null if the service has no project that is billed for queries. */
  readonly bigquery: PublicTables | null;
  /** Whether callers without an account may read the tables of the operator. */
  readonly areGuestsAllowed: boolean;
}

/** The rows of a reference in their cadence, before they are cut to a window. */
interface FetchedRows {
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
  readonly cadence: Cadence;
  /** Whether the table may have older rows. */
  readonly isFull: boolean;
  /** The number of rows that a full read has beyond the largest limit. */
  readonly spareRows: number;
  readonly estimatedBytes: number;
  readonly table: WarehouseTable;
}

interface FetchOptions {
  /** Milliseconds since 1970: reads only rows before this instant. Default: all rows. */
  readonly before?: number | undefined;
  /** The frequency of the rows, if it is known from a larger read. */
  readonly frequency?: Frequency | undefined;
  readonly accountId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the source of series from warehouse tables: local files, and tables of the public-datasets project. */
export function createWarehouseSource(options: WarehouseSourceOptions): SeriesSource<WarehouseReference> {
  const { clock, local, bigquery, areGuestsAllowed } = options;

  function findEngine(name: TableName): WarehouseEngine {
    if (name.kind === 'local') return local;
    if (bigquery === null) throw publicTablesNotConfigured();
    return bigquery.engine;
  }

  /** Throws the fault for a table that does not exist if callers without an account may not read it. */
  async function requireVisible(table: string): Promise<void> {
    if (!areGuestsAllowed && !(await local.isBundled(table))) throw tableNotFound(table);
  }

  async function findTable(reference: WarehouseReference, signal: AbortSignal | undefined) {
    const engine = findEngine(parseTableName(reference.table));
    const table = await engine.describe(reference.table, signal);
    if (table === null) throw tableNotFound(reference.table);
    return { engine, table };
  }

  async function fetchRows(
    reference: WarehouseReference,
    { before, frequency, accountId, signal }: FetchOptions,
  ): Promise<FetchedRows> {
    signal?.throwIfAborted();
    const { engine, table } = await findTable(reference, signal);
    const query = checkReference(reference, table, { cutoff: before ?? null });
    const estimatedBytes = await engine.dryRun(table, query, { accountId, signal });
    if (estimatedBytes > MAX_READ_BYTES) {
      throw readTooLarge(estimatedBytes, MAX_READ_BYTES, { isLocal: engine === local });
    }
    const raw = await engine.read(table, query, { accountId, signal, estimatedBytes });
    signal?.throwIfAborted();
    const { frequency: found, ...timed } = assignTimes(raw, query, frequency);
    return {
      ...timed,
      cadence: { frequency: found, kind: 'plain' },
      isFull: raw.times.length === query.maxRows,
      spareRows: query.maxRows - (MAX_OBSERVATIONS + 1),
      estimatedBytes,
      table,
    };
  }

  /**
   * Reads the last `limit` rows before a cutoff. All rows are read first, because the frequency of a few rows could not
   * be inferred, and because equal reads with other cutoffs can then be shared. If the table has so many rows after the
   * cutoff that the read contains too few before it, the rows before the cutoff are read again.
   */
  async function readWindow(
    reference: WarehouseReference,
    cutoffAfter: (rows: FetchedRows) => number,
    { limit = MAX_OBSERVATIONS, before, ...fetchOptions }: FetchOptions & { readonly limit?: number | undefined },
  ): Promise<SourceRows & { readonly cutoff: number }> {
    let rows = await fetchRows(reference, { ...fetchOptions, before });
    const cutoff = cutoffAfter(rows);
    let end = countCompleted(rows.cadence, rows.timestamps, cutoff);
    if (rows.isFull && rows.timestamps.length - end > rows.spareRows) {
      rows = await fetchRows(reference, { ...fetchOptions, before: cutoff, frequency: rows.cadence.frequency });
      end = countCompleted(rows.cadence, rows.timestamps, cutoff);
    }
    const start = Math.max(0, end - limit);
    const { value_field: valueField } = reference;
    return {
      table: {
        timestamps: rows.timestamps.slice(start, end),
        columns: { [valueField]: rows.values.slice(start, end) },
      },
      cadence: rows.cadence,
      valueField,
      provider: providerOf(rows.table),
      hasOlder: rows.isFull,
      estimatedBytes: rows.estimatedBytes,
      about: describeRows(reference, rows),
      cutoff,
    };
  }

  return {
    type: 'warehouse_table',

    async list() {
      const entries: ListedSeries[] = [];
      for (const table of await local.list()) {
        const isHidden = !areGuestsAllowed && !(await local.isBundled(table.name));
        entries.push(...listTables(table, { audience: isHidden ? 'accounts' : undefined }));
      }
      for (const table of (await bigquery?.described.list()) ?? []) {
        entries.push(...listTables(table, { audience: 'accounts' }));
      }
      return entries;
    },

    listVersion: async () => JSON.stringify([await local.version(), (await bigquery?.described.version()) ?? null]),

    canonical: (reference) => canonicalReference(reference),

    async authorize(principal: Principal, { table }) {
      const name = parseTableName(table);
      if (principal.kind === 'account') return;
      if (name.kind === 'public') throw readerAccountRequired();
      await requireVisible(table);
    },

    /** The rows of a public table were paid for when they were read. */
    async authorizeFrozen(principal, { table }) {
      if (principal.kind !== 'account' && parseTableName(table).kind === 'local') await requireVisible(table);
    },

    async describe(reference, signal): Promise<SeriesDescription> {
      const { engine, table } = await findTable(reference, signal);
      const query = checkReference(reference, table, { cutoff: null });
      return describeSeries(table, query, engine.estimate(table, query));
    },

    async read(reference, { cutoff, ...window }) {
      // With an aggregate the frequency is known, so that rows after the cutoff need not be read.
      const before = reference.aggregate === undefined ? undefined : cutoff;
      const now = clock.now().getTime();
      const { cutoff: _, ...rows } = await readWindow(reference, () => cutoff ?? now, { ...window, before });
      return rows;
    },

    readDaysBefore: (reference, { days, ...window }) => {
      const now = clock.now().getTime();
      const cutoffAfter = ({ cadence, timestamps }: FetchedRows) => {
        const last = timestamps[countCompleted(cadence, timestamps, now) - 1];
        if (last === undefined) throw emptySeries();
        return daysBefore(cadence, last, days);
      };
      return readWindow(reference, cutoffAfter, window);
    },

    knownFrequency: async ({ aggregate }) => aggregate?.frequency ?? null,
  };
}

/** Returns the `about` of a snapshot of the rows. Its bytes enter the hash of the snapshot. */
function describeRows(reference: WarehouseReference, { table, cadence }: FetchedRows) {
  const { title, publisher, license } = table;
  const source = JSON.parse(JSON.stringify(canonicalReference(reference)));
  return { source, title, units: '', frequency: cadence.frequency, publisher, license, vintage: 'revised' };
}
