import { join } from 'node:path';
import {
  createBigqueryEngine,
  createDescribedTables,
  createLimitedEngine,
  createLocalEngine,
  createQueryRunner,
  type LocalTables,
  type PublicTables,
  readServiceAccount,
  removeOldTempFolders,
} from '../datasets/index.ts';
import type { Clock, Config, Database, Log } from '../platform/index.ts';

/** The warehouse tables of a process: its parts share one process of DuckDB. */
export interface Warehouse {
  readonly local: LocalTables;
  /** Null if the service has no project that pays for queries. */
  readonly bigquery: PublicTables | null;
  /** Whether callers without an account may read the tables of the operator. */
  readonly areGuestsAllowed: boolean;
  /** Removes the temporary files of earlier processes. Called before the first read. */
  removeOldFiles(): Promise<void>;
  /** Ends the running queries and the process of DuckDB. */
  close(): Promise<void>;
}

export interface WarehouseParts {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the local tables and, if a project pays for queries, the public ones. Starts no process. */
export function openWarehouse({ config, database, clock, log }: WarehouseParts): Warehouse {
  const { folder, guests: areGuestsAllowed } = config.warehouse;
  const tempFolder = join(config.dataFolder, 'warehouse-temp');
  const runner = createQueryRunner({ tempFolder, log });
  const local = createLocalEngine({ folder, runner, log, clock });
  const bigquery = openPublicTables({ config, database, clock, log });
  return {
    local,
    bigquery,
    areGuestsAllowed,
    removeOldFiles: () => removeOldTempFolders(tempFolder),
    async close() {
      await Promise.all([runner.close(), local.close(), bigquery?.close()]);
    },
  };
}

/** Opens the public tables; null if no project pays for queries. Throws a `ConfigError` for an invalid key file. */
function openPublicTables({ config, database, clock, log }: WarehouseParts) {
  const { bigquery } = config.warehouse;
  if (bigquery === null) return null;
  const { project, credentialsPath, url, mibPerDay } = bigquery;
  const account = readServiceAccount(credentialsPath);
  const engine = createBigqueryEngine({ database, clock, account, project, url });
  const described = createDescribedTables({ database, clock });
  return {
    engine: createLimitedEngine(engine, { database, clock, log, mibPerDay, described }),
    described,
    close: () => engine[Symbol.asyncDispose](),
  };
}
