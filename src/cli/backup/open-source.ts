import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  accessPgliteTables,
  BackupError,
  type Config,
  type CopiedDatabase,
  DatabaseInUseError,
  hasEmbeddedDatabase,
  openDatabase,
  openPostgresTables,
  removeEmbeddedCopy,
  type TableAccess,
  tryLockFile,
} from '../../platform/index.ts';
import { callRunningService } from '../control-socket.ts';

/** The name of the operation by which a running service copies its embedded database. It is not a command. */
export const COPY_OPERATION = 'database copy';

/** Held for the whole backup, because a service makes one copy at a time. */
const LOCK_FILE = 'backup.lock';

/** The time in which a service copies a large database from a slow disk to itself. */
const COPY_TIMEOUT_MS = 30 * 60_000;
const SERVICE_WAIT_MS = 15_000;
const RETRY_MS = 250;

export interface BackupSource {
  readonly access: TableAccess;
  /** For how long a running service with the embedded database did not run statements; null if it was not paused. */
  readonly pauseMs: number | null;
}

/** Opens what a backup reads: a PostgreSQL database, a stopped embedded one, or a copy that the running service makes. */
export async function openBackupSource(config: Config, open: AsyncDisposableStack): Promise<BackupSource> {
  const { databaseUrl, databaseDirectUrl, dataFolder } = config;
  if (databaseUrl !== undefined) {
    const access = open.use(await openPostgresTables(databaseDirectUrl ?? databaseUrl, 'read'));
    return { access, pauseMs: null };
  }
  if (!hasEmbeddedDatabase(dataFolder)) {
    throw new BackupError(`${dataFolder} has no database. Check ALMANAC_DATA, or set DATABASE_URL.`);
  }
  const lock = await tryLockFile(join(dataFolder, LOCK_FILE));
  if (lock === undefined) {
    throw new BackupError(
      `Another backup of ${dataFolder} is running. Nothing was changed. Repeat the command when it has ended.`,
    );
  }
  open.defer(() => lock.release());
  const deadline = performance.now() + SERVICE_WAIT_MS;
  for (;;) {
    const copy = (await callRunningService(dataFolder, COPY_OPERATION, {}, COPY_TIMEOUT_MS)) as CopiedDatabase | null;
    if (copy !== null) {
      open.defer(() => removeEmbeddedCopy(dataFolder));
      return { access: await openEmbedded(copy.folder, open), pauseMs: copy.pauseMs };
    }
    try {
      return { access: await openEmbedded(dataFolder, open), pauseMs: null };
    } catch (error) {
      // A service that is starting or stopping has locked the folder but has no socket.
      if (!(error instanceof DatabaseInUseError) || performance.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function openEmbedded(folder: string, open: AsyncDisposableStack): Promise<TableAccess> {
  const database = await openDatabase({ folder });
  open.defer(() => database.close());
  return accessPgliteTables(database);
}
