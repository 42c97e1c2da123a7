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
    async close() {
      await Promise.all([runner.close(), local.close(), bigquery?.close()]);
    },
  };
}
