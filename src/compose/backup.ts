import { sql } from 'kysely';
import { checkpointFolders, scanCheckpoints } from '../compute/index.ts';
import { ENGINE_VERSION } from '../engine/index.ts';
import {
  type About,
  accessPgliteTables,
  analyzeTables,
  BACKUP_FORMAT,
  BackupError,
  type BackupFile,
  type BackupKey,
  type BackupProgress,
  type CheckedBackup,
  type Clock,
  type Config,
  checkBackup,
  createEmbeddedDatabase,
  type Executor,
  openBackup,
  openPostgresTables,
  readPrivateFiles,
  readQueueVersion,
  readVersion,
  requireEmpty,
  requireKnownMigrations,
  requireSamePrivateFiles,
  restoreTables,
  type TableAccess,
  type WrittenBackup,
  writeBackup,
  writePrivateFiles,
} from '../platform/index.ts';
import { MIGRATIONS } from './migrations.ts';

export interface BackupRequest {
  readonly path: string;
  readonly key: BackupKey;
  readonly isForced: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** Writes a backup of the database behind `access` and of the private files of the data folder. */
export async function backUp(
  config: Pick<Config, 'dataFolder'>,
  access: TableAccess,
  { clock, ...request }: BackupRequest,
): Promise<WrittenBackup> {
  const about = await describeDatabase(access, config.dataFolder, clock);
  return writeBackup(access, { ...request, about, files: await readPrivateFiles(config.dataFolder) });
}

async function describeDatabase({ kind, executor }: TableAccess, dataFolder: string, clock: Clock): Promise<About> {
  const { checkpoints } = await scanCheckpoints(checkpointFolders(dataFolder));
  return {
    format: BACKUP_FORMAT,
    created_at: clock.now().toISOString(),
    build: readVersion(),
    engine: ENGINE_VERSION,
    database: kind,
    migrations: await readMigrations(executor),
    queue: await readQueueVersion(executor),
    checkpoints: checkpoints.filter(({ origin }) => origin === 'installed').map(({ id }) => id),
  };
}

async function readMigrations(executor: Executor): Promise<About['migrations']> {
  const { rows: found } = await sql<{ exists: boolean }>`
    SELECT to_regclass('almanac_migrations') IS NOT NULL AS exists`.execute(executor.query());
  if (found[0]?.exists !== true) {
    throw new BackupError(
      'The database has no tables of Almanac, so there is nothing to back up. Check DATABASE_URL and ALMANAC_DATA.',
    );
  }
  // A database that an early build migrated has no column for hashes.
  const { rows } = await sql<{ domain: string; name: string; hash?: string | null }>`
    SELECT * FROM almanac_migrations ORDER BY domain COLLATE "C", name COLLATE "C"`.execute(executor.query());
  return rows.map(({ domain, name, hash }) => ({ domain, name, hash: hash ?? null }));
}

export interface RestoreRequest {
  readonly path: string;
  readonly key: BackupKey;
  /** Whether private files of the data folder that differ are replaced. */
  readonly isForced: boolean;
  /** Whether the file is only checked. */
  readonly isDryRun: boolean;
  readonly lockWaitMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress & { readonly step: 'reading' | 'restoring' | 'checking' }) => void;
}

/** Checks a whole backup, then restores it into the empty database of the configuration, of either kind. */
export async function restoreBackup(config: Config, request: RestoreRequest): Promise<CheckedBackup> {
  const { path, key, isForced, isDryRun, signal, onProgress } = request;
  await using backup = await openBackup(path, key);
  const checked = await checkBackup(backup, (bytes) => {
    signal.throwIfAborted();
    onProgress({ step: 'reading', table: '', rows: 0, bytes, totalBytes: 0 });
  });
  const { manifest, files } = checked;
  await requireKnownMigrations(backup, manifest, MIGRATIONS);
  if (isDryRun) return checked;
  if (!isForced) await requireSamePrivateFiles(config.dataFolder, files);
  if (config.databaseUrl === undefined) await restoreEmbedded(config, request, backup, checked);
  else await restorePostgres(config.databaseDirectUrl ?? config.databaseUrl, request, backup, checked);
  await writePrivateFiles(config.dataFolder, files);
  return checked;
}

async function restoreEmbedded(
  { dataFolder, minFreeMib }: Config,
  { lockWaitMs, signal, onProgress }: RestoreRequest,
  backup: BackupFile,
  { manifest }: CheckedBackup,
): Promise<void> {
  await using created = await createEmbeddedDatabase(dataFolder, { lockWaitMs, minFreeMib });
  const access = accessPgliteTables(created.database);
  await restoreTables(access, { backup, manifest, domains: MIGRATIONS, signal, onProgress });
  await analyzeTables(access);
  await created.keep();
}

async function restorePostgres(
  url: string,
  { signal, onProgress }: RestoreRequest,
  backup: BackupFile,
  { manifest }: CheckedBackup,
): Promise<void> {
  await using access = await openPostgresTables(url, 'write');
  await requireEmpty(access);
  await restoreTables(access, { backup, manifest, domains: MIGRATIONS, signal, onProgress });
  await access.commit();
  await analyzeTables(access);
}
