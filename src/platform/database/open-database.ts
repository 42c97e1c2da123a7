import type { Database } from './database.ts';
import { openPglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';

export interface DatabaseOptions {
  /** PostgreSQL connection URL. Without it, an embedded database is opened in `folder`. */
  readonly url?: string | undefined;
  /** Data folder of the embedded database (PGlite); made when missing, for its owner only. */
  readonly folder?: string | undefined;
  /** Most connections to PostgreSQL. Default 10. */
  readonly poolSize?: number | undefined;
  /** How long to wait for a connection to PostgreSQL. Default 5 seconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long to wait for another process to let go of `folder`. Default 0: refuse at once. */
  readonly lockWaitMs?: number | undefined;
  /** Where trouble goes that no caller is waiting for, such as an idle connection that broke. */
  readonly log?: { warn(details: object, message: string): void } | undefined;
}

/**
 * Opens PostgreSQL at `url`, or else the embedded database in `folder`.
 *
 * @example
 * const database = await openDatabase({ url: config.databaseUrl, folder: config.dataFolder });
 * await migrate(database, [identityMigrations, jobMigrations]);
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, folder, poolSize = 10, connectTimeoutMs = 5_000, lockWaitMs = 0, log } = options;
  if (url !== undefined) return openPostgres({ url, poolSize, connectTimeoutMs, log });
  if (folder !== undefined) return openPglite({ folder, lockWaitMs, log });
  throw new TypeError('openDatabase needs a url or a folder.');
}
