export { checkPgliteFiles } from './check-pglite-files.ts';
export { type BrokenReference, checkReferences } from './check-references.ts';
export { compileOnce } from './compile-once.ts';
export type { ConnectionCounts, Database, Executor, Transaction } from './database.ts';
export { readDatabaseSize } from './database-size.ts';
export {
  ChangedMigrationError,
  DamagedFolderError,
  DatabaseClosedError,
  DatabaseInUseError,
  DatabaseSetupError,
  DirectConnectionError,
  DiskFullError,
  findStorageProblem,
  IncompatibleFolderError,
  isMissingReference,
  isRetryableConflict,
  isUnavailable,
  isUniqueViolation,
  MigrationFailedError,
  NewerDatabaseError,
  skipIfDiskFull,
  TransactionMisuseError,
} from './errors.ts';
export { json, jsonb } from './jsonb.ts';
export {
  type DomainMigrations,
  hashMigrations,
  listPendingMigrations,
  migrate,
  type SchemaMigration,
} from './migrate.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
export { probePostgres } from './probe-postgres.ts';
export { oldRows, type Removal, type RemovedKind, removeInBatches } from './remove-in-batches.ts';
export { READ_ROWS, splitRows } from './row-steps.ts';
