import { CheckpointError, EngineEndedError } from '../compute/index.ts';
import { Fault } from '../contract/index.ts';
import {
  BackupError,
  ChangedMigrationError,
  ConfigError,
  DamagedFolderError,
  DatabaseInUseError,
  DatabaseSetupError,
  DirectConnectionError,
  DiskFullError,
  findStorageProblem,
  IncompatibleFolderError,
  isUnavailable,
  MigrationFailedError,
  NewerDatabaseError,
} from '../platform/index.ts';
import { FailedCheckError } from './command.ts';

/** The kinds of errors whose messages are written for operators. */
const READABLE_ERRORS = [
  BackupError,
  ConfigError,
  Fault,
  FailedCheckError,
  CheckpointError,
  EngineEndedError,
  DatabaseInUseError,
  DatabaseSetupError,
  DamagedFolderError,
  DiskFullError,
  IncompatibleFolderError,
  NewerDatabaseError,
  ChangedMigrationError,
  MigrationFailedError,
];

/**
 * The codes of PostgreSQL for a wrong user, password or database name, and for missing privileges. PgBouncer refuses all
 * of them with 08P01.
 */
const POSTGRES_ACCESS_ERRORS = ['28000', '28P01', '3D000', '42501', '08P01'];

/** The codes of PostgreSQL for pages of tables and indexes that cannot be read. */
const DAMAGED_PAGES = ['XX001', 'XX002'];

/** Returns one line for a problem that an operator can fix, or the stack of any other error. */
export function explainError(error: unknown): string {
  if (error instanceof DirectConnectionError) return explainProblem(error.cause, 'DATABASE_DIRECT_URL');
  return explainProblem(error, 'DATABASE_URL');
}

function explainProblem(error: unknown, databaseSetting: string): string {
  if (!(error instanceof Error)) return String(error);
  if (READABLE_ERRORS.some((kind) => error instanceof kind)) return error.message;
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  const problem = findStorageProblem(error);
  if (path !== undefined || (problem !== null && syscall !== undefined))
    return `ALMANAC_DATA cannot be used: ${error.message}.`;
  if (POSTGRES_ACCESS_ERRORS.includes(code)) return `The server refused ${databaseSetting}: ${error.message}.`;
  if (DAMAGED_PAGES.includes(code)) return `The database is damaged: ${error.message}. Restore a backup.`;
  if (problem !== null) return `The database can store nothing (${problem}): ${error.message}.`;
  // If attempts at several addresses failed, the error has no message of its own.
  if (isUnavailable(error))
    return `${databaseSetting} names a server that cannot be reached: ${error.message || code}.`;
  return error.stack ?? error.message;
}
