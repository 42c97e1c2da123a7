export { BackupError } from './backup-error.ts';
export {
  type CopiedDatabase,
  copyEmbeddedDatabase,
  createEmbeddedDatabase,
  hasEmbeddedDatabase,
  removeEmbeddedCopy,
} from './embedded-files.ts';
export { type BackupKey, KEY_FILE_BYTES } from './file-key.ts';
export { readQueueVersion } from './list-tables.ts';
export { type About, BACKUP_FORMAT, type Manifest, type StoredFile } from './manifest.ts';
export { accessPgliteTables } from './pglite-tables.ts';
export { openPostgresTables } from './postgres-tables.ts';
export { readPrivateFiles, requireSamePrivateFiles, writePrivateFiles } from './private-files.ts';
export { type BackupFile, type CheckedBackup, checkBackup, openBackup } from './read-backup.ts';
export {
  analyzeTables,
  requireEmpty,
  requireKnownMigrations,
  restoreTables,
} from './restore-backup.ts';
export type { TableAccess } from './table-access.ts';
export { type BackupProgress, requireTarget, type WrittenBackup, writeBackup } from './write-backup.ts';
