import type { ObjectStorage } from '../objects/object-storage.ts';
import type { CurrentUrl } from './connection-options.ts';
import type { Database } from './database.ts';
import { openPglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';

export interface DatabaseOptions {
  /** PostgreSQL connection URL. Without it, an embedded database is opened in `folder`. */
  readonly url?: string | undefined;
  /**
   * URL of the same database without a pooler in transaction mode, for the queue and migrations. Default: `url`, which then
   * must not lead to such a pooler.
   */
  readonly directUrl?: string | undefined;
  /**
   * Returns one of these URLs with the password that new connections use now. Default: passwords do not change while the
   * database is open.
   */
  readonly currentUrl?: CurrentUrl | undefined;
  /** Data folder of the embedded database (PGlite). It is created if missing, readable only by its owner. */
  readonly folder?: string | undefined;
  /** Maximum number of connections to PostgreSQL. Default: 10. */
  readonly poolSize?: number | undefined;
  /** How long to wait for a connection to PostgreSQL. Default: 5 seconds. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * How long a connection to PostgreSQL may be silent before it is ended, because its server or pooler has vanished.
   * Default: 45 seconds. A statement ends after 30 seconds, and may have waited 10 seconds in a pooler.
   */
  readonly maxSilenceMs?: number | undefined;
  /** How long to wait for another process to release `folder`. Default: 0, which fails immediately. */
  readonly lockWaitMs?: number | undefined;
  /**
   * Number of MiB that must be free on the disk of the embedded database. Below it, statements that write are refused
   * with `DiskFullError`. Default: no minimum.
   */
  readonly minFreeMib?: number | undefined;
  /** Stores large things. Default: the database stores them. */
  readonly objects?: ObjectStorage | null | undefined;
  /** Receives errors that cannot be thrown to a caller, such as that of a broken idle connection. */
  readonly log?: { warn(details: object, message: string): void } | undefined;
}

/**
 * Opens the PostgreSQL database at `url` or, without a URL, the embedded database in `folder`.
 *
 * @example
 * const database = await openDatabase({ url: config.databaseUrl, folder: config.dataFolder });
 * await migrate(database, [identityMigrations, jobMigrations]);
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const {
    url,
    directUrl = url,
    currentUrl,
    folder,
    poolSize = 10,
    connectTimeoutMs = 5_000,
    maxSilenceMs = 45_000,
    lockWaitMs = 0,
    minFreeMib,
    objects = null,
    log,
  } = options;
  if (url !== undefined) {
    const addresses = { url, directUrl: directUrl ?? url, currentUrl };
    return openPostgres({ ...addresses, poolSize, connectTimeoutMs, maxSilenceMs, log, objects });
  }
  if (folder !== undefined) return openPglite({ folder, lockWaitMs, log, minFreeMib, objects });
  throw new TypeError('openDatabase needs a url or a folder.');
}
