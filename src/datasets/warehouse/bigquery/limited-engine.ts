import { Fault } from '../../../contract/index.ts';
import { type Log, LruCache, ProviderError, type ProviderFault } from '../../../platform/index.ts';
import type { SnapshotContext } from '../../../snapshots/index.ts';
import {
  MAX_READ_BYTES,
  type RawRows,
  type ReadOptions,
  type WarehouseEngine,
  type WarehouseQuery,
  type WarehouseTable,
} from '../engine.ts';
import { readerAccountRequired, readTooLarge } from '../faults.ts';
import { createSharedReads } from '../shared-reads.ts';
import type { DescribedTables } from './described-tables.ts';
import { countRead, type LimitContext, requireReadLeft, takeReadBack } from './limit-reads.ts';
import { findRead, keyOfRead, loadRows, storeRead } from './reuse-reads.ts';

export interface LimitedEngineContext extends SnapshotContext, LimitContext {
  readonly log: Pick<Log, 'warn'>;
  readonly described: DescribedTables;
}

/** A dry run that this process sent is valid for a read for this long. */
const DRY_RUN_LIFETIME_MS = 600_000;
const MAX_DRY_RUNS = 1_000;

/**
 * Returns an engine that reads billed tables within the limits of accounts and days, that uses the rows of an identical
 * read of the last hour again without a request, and that records which tables exist. Concurrent identical reads are
 * one, which counts for the account that was first.
 */
export function createLimitedEngine<Table extends WarehouseTable>(
  engine: WarehouseEngine<Table>,
  context: LimitedEngineContext,
): WarehouseEngine<Table> {
  const { clock, log, described } = context;
  const shared = createSharedReads();
  /** When this process last sent the dry run of a read. */
  const dryRuns = new LruCache<string, number>({ maxEntries: MAX_DRY_RUNS });

  async function recordTable(name: string, table: Table | null): Promise<void> {
    try {
      await (table === null ? described.forget(name) : described.record(table));
    } catch (error) {
      log.warn({ err: error, table: name }, 'a described table could not be recorded; the search may not find it');
    }
  }

  async function sendDryRun(key: string, table: Table, query: WarehouseQuery, options: ReadOptions): Promise<number> {
    const bytes = await engine.dryRun(table, query, options);
    dryRuns.set(key, clock.now().getTime());
    return bytes;
  }

  async function sendRead(
    key: string,
    table: Table,
    query: WarehouseQuery,
    options: ReadOptions & { readonly estimatedBytes: number; readonly accountId: string },
  ): Promise<RawRows> {
    // The estimate can be that of a stored read whose rows were removed in the meantime.
    const isDryRun = clock.now().getTime() - (dryRuns.get(key) ?? Number.NEGATIVE_INFINITY) < DRY_RUN_LIFETIME_MS;
    const estimatedBytes = isDryRun ? options.estimatedBytes : await sendDryRun(key, table, query, options);
    if (estimatedBytes > MAX_READ_BYTES) throw readTooLarge(estimatedBytes, MAX_READ_BYTES);
    options.signal?.throwIfAborted();
    const id = await countRead(context, { accountId: options.accountId, estimatedBytes });
    let rows: RawRows;
    let hasStarted = false;
    const onStarted = () => {
      hasStarted = true;
    };
    try {
      rows = await engine.read(table, query, { ...options, estimatedBytes, onStarted });
    } catch (error) {
      // The query of a caller that has disconnected may have begun as well.
      const mayHaveRun = hasStarted || options.signal?.aborted;
      if (!mayHaveRun && isRefused(error)) await takeReadBack(context, id);
      throw error;
    }
    try {
      await storeRead(context, key, rows, estimatedBytes);
    } catch (error) {
      log.warn({ err: error, table: table.name }, 'storing the rows of a read failed; the next identical read is sent');
    }
    return rows;
  }

  return {
    async describe(name, signal) {
      const table = await engine.describe(name, signal);
      await recordTable(name, table);
      return table;
    },

    estimate: (table, query) => engine.estimate(table, query),

    async dryRun(table, query, options) {
      if (options.accountId === undefined) throw readerAccountRequired();
      const key = keyOfRead(table.name, query);
      const stored = await findRead(context, key);
      if (stored !== null) return stored.estimatedBytes;
      await requireReadLeft(context, options.accountId);
      return sendDryRun(key, table, query, options);
    },

    async read(table, query, { accountId, estimatedBytes, signal }) {
      if (accountId === undefined) throw readerAccountRequired();
      const key = keyOfRead(table.name, query);
      for (;;) {
        let isOwn = false;
        const start = async (sharedSignal: AbortSignal): Promise<RawRows> => {
          isOwn = true;
          const stored = await findRead(context, key);
          const rows = stored && (await loadRows(context, stored));
          return rows ?? sendRead(key, table, query, { accountId, estimatedBytes, signal: sharedSignal });
        };
        try {
          return await shared.join(key, signal, start);
        } catch (error) {
          // The account that started a shared read had no read left. That does not apply to the other callers.
          if (isOwn || !(error instanceof Fault) || error.code !== 'RATE_LIMITED') throw error;
        }
      }
    },
  };
}

/** The failures after which a query certainly did not run, so that it was not billed. */
const FAULTS_BEFORE_RUN: readonly ProviderFault[] = [
  'NOT_FOUND',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'REJECTED',
  'RATE_LIMITED',
  'CIRCUIT_OPEN',
];

/** Returns whether an error means that the query was refused before it ran. A query without a reply may have run. */
function isRefused(error: unknown): boolean {
  if (error instanceof ProviderError) return FAULTS_BEFORE_RUN.includes(error.fault);
  if (!(error instanceof Fault)) return false;
  // The fault for a caller can be the consequence of a failure, such as a query above the limit of bytes.
  return error.cause === undefined ? error.status < 500 : isRefused(error.cause);
}
