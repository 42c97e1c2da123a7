export { compileOnce } from './compile-once.ts';
export type { Connections, Database, Executor, Transaction } from './database.ts';
export {
  DatabaseClosedError,
  DatabaseInUseError,
  IncompatibleFolderError,
  MigrationFailedError,
  NewerDatabaseError,
  TransactionMisuseError,
} from './errors.ts';
export { isRetryableConflict, isUnavailable, isUniqueViolation } from './failure-kinds.ts';
export { json, jsonb } from './jsonb.ts';
export { migrate } from './migrate.ts';
export type { DomainMigrations } from './migration-plan.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
