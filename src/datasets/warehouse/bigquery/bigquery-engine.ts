import {
  type CallLimits,
  type ClientParts,
  type Clock,
  LruCache,
  openProviderClient,
  type ProviderClient,
  ProviderError,
  type Sleep,
} from '../../../platform/index.ts';
import { buildQuery } from '../build-query.ts';
import type { RunOptions, WarehouseEngine, WarehouseQuery } from '../engine.ts';
import { tableNameInvalid } from '../faults.ts';
import { PUBLIC_PROJECT, parseTableName } from '../table-name.ts';
import { BIGQUERY, createAccessTokens } from './access-token.ts';
import { type BigquerySession, type LocatedQuery, requestDryRun, requestTable } from './bigquery-client.ts';
import { BIGQUERY_DIALECT } from './bigquery-dialect.ts';
import type { BigqueryTable, TableId } from './bigquery-table.ts';
import { estimateBytes } from './estimate-bytes.ts';
import { serviceStopping } from './faults.ts';
import { runQuery } from './run-query.ts';
import type { ServiceAccount } from './service-account.ts';
import { toMetadataFault, toQueryFault } from './to-fault.ts';

export interface BigqueryEngineOptions extends ClientParts {
  readonly clock: Clock;
  readonly account: ServiceAccount;
  /** The project that pays for the queries. */
  readonly project: string;
  /** The base address, such as https://bigquery.googleapis.com. */
  readonly url: string;
  /** The time limit of a read. Default: one minute. */
  readonly deadlineMs?: number;
  /** Opens a client with limits. Default: one with the budget and the breaker of BigQuery, which need the database. */
  readonly connect?: (limits?: CallLimits) => ProviderClient;
  readonly sleep?: Sleep;
}

/** Reads tables of the public-datasets project. Disposing of it ends the reads and cancels their jobs. */
export interface BigqueryEngine extends WarehouseEngine<BigqueryTable>, AsyncDisposable {}

/** The requests per minute of all processes together. BigQuery allows 100 in a second. */
const REQUESTS_PER_MINUTE = 600;
const DEADLINE_MS = 60_000;
/** How long metadata are used again, so that a description and the read after it send one request for them. */
const METADATA_MS = 60_000;
const MAX_KEPT_TABLES = 200;

/** Creates the engine of public BigQuery tables. */
export function createBigqueryEngine(options: BigqueryEngineOptions): BigqueryEngine {
  const { clock, database, account, project, deadlineMs = DEADLINE_MS, sleep } = options;
  const provider = { id: BIGQUERY, requestsPerMinute: REQUESTS_PER_MINUTE };
  const parts = database === undefined ? { clock } : { clock, database };
  const connect = options.connect ?? ((limits?: CallLimits) => openProviderClient(parts, provider, limits));
  const tokens = createAccessTokens({ account, clock, connect: () => connect() });
  const session: BigquerySession = { url: options.url.replace(/\/+$/, ''), project, tokens, connect };
  const kept = new LruCache<string, { readonly table: BigqueryTable; readonly readAt: number }>({
    maxEntries: MAX_KEPT_TABLES,
  });
  const background = new Set<Promise<unknown>>();
  const closing = new AbortController();

  const inBackground = (work: Promise<unknown>) => {
    const tracked = work.finally(() => background.delete(tracked));
    background.add(tracked);
  };

  const read = (table: BigqueryTable, query: WarehouseQuery, { signal, onStarted }: RunOptions) => {
    const stop = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
    const rows = runQuery(session, locate(table, query), query, {
      signal: stop,
      deadlineMs,
      sleep,
      onStarted,
      inBackground,
    });
    inBackground(rows.catch(() => undefined));
    return rows;
  };

  return {
    async describe(name, signal) {
      const id = parsePublicName(name);
      const found = kept.get(name);
      const age = clock.now().getTime() - (found?.readAt ?? Number.NEGATIVE_INFINITY);
      // A negative age means that the clock was set back.
      if (found !== undefined && age >= 0 && age < METADATA_MS) return found.table;
      const readAt = clock.now().getTime();
      const table = await withFaults(() => requestTable(session, id, signal), toMetadataFault);
      if (table === null) kept.delete(name);
      else kept.set(name, { table, readAt });
      return table;
    },
    estimate: estimateBytes,
    dryRun: (table, query, { signal }) =>
      withFaults(
        () => requestDryRun(session, locate(table, query), signal),
        (error) => toQueryFault(error, table),
      ),
    read: (table, query, options) =>
      withFaults(
        () => read(table, query, options),
        (error) => toQueryFault(error, table),
      ),
    [Symbol.asyncDispose]: async () => {
      closing.abort(serviceStopping());
      // A read that ends adds the cancellation of its job.
      while (background.size > 0) await Promise.allSettled(background);
    },
  };
}

/** Returns the parts of the name of a public table, so that no request is sent for another one. */
function parsePublicName(name: string): TableId {
  const parsed = parseTableName(name);
  if (parsed.kind !== 'public') throw tableNameInvalid();
  const { dataset, table } = parsed;
  return { dataset, table };
}

function locate(table: BigqueryTable, query: WarehouseQuery): LocatedQuery {
  const { dataset, table: tableId } = parsePublicName(table.name);
  const quoted = [PUBLIC_PROJECT, dataset, tableId].map(BIGQUERY_DIALECT.quote).join('.');
  return { built: buildQuery(query, quoted, BIGQUERY_DIALECT), location: table.location };
}

/** Turns errors of the provider into faults. */
async function withFaults<Result>(
  call: () => Promise<Result>,
  toFault: (error: ProviderError) => Error,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ProviderError ? toFault(error) : error;
  }
}
