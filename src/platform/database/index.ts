export { compileOnce } from './compile-once.ts';
export type { ConnectionCounts, Database, Executor, Transaction } from './database.ts';
export {
  ChangedMigrationError,
  DatabaseClosedError,
  DatabaseInUseError,
  IncompatibleFolderError,
  isMissingReference,
  isRetryableConflict,
  isUnavailable,
  isUniqueViolation,
  MigrationFailedError,
  NewerDatabaseError,
  TransactionMisuseError,
} from './errors.ts';
export { json, jsonb } from './jsonb.ts';
export { type DomainMigrations, hashMigrations, migrate } from './migrate.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
