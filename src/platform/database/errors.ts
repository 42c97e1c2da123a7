/** The database itself was used inside a transaction, or a transaction was opened inside another. This is a bug. */
export class TransactionMisuseError extends Error {
  override readonly name = 'TransactionMisuseError';
}

/** The database was used after `close()`. */
export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError';
  constructor() {
    super('The database is closed: the service is stopping.');
  }
}

/** Too little space is free on the disk of the embedded database, so a statement that writes was refused. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** The files of an embedded database are damaged. */
export class DamagedFolderError extends Error {
  override readonly name = 'DamagedFolderError';

  constructor(folder: string, problem: string, options?: ErrorOptions) {
    super(`The database in ${folder} is damaged: ${problem}. Restore a backup of the folder.`, options);
  }
}

/** The folder of an embedded database is already open in another process, or in this one. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
  readonly folder: string;
  readonly holderPid: number | undefined;

  constructor(folder: string, holderPid: number | undefined) {
    const holder =
      holderPid === undefined ? 'another process' : holderPid === process.pid ? 'this process' : `process ${holderPid}`;
    super(
      `The database in ${folder} is in use by ${holder}. Nothing was changed. ` +
        'Stop that process, use the command line while it runs, or choose another database with DATABASE_URL or ALMANAC_DATA.',
    );
    this.folder = folder;
    this.holderPid = holderPid;
  }
}

/** The folder contains database files that this build cannot read. */
export class IncompatibleFolderError extends Error {
  override readonly name = 'IncompatibleFolderError';
}

/** The addresses, roles or settings of a PostgreSQL database do not fit together. The message has the remedy. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

/** The connection of DATABASE_DIRECT_URL failed. `cause` is the reason. */
export class DirectConnectionError extends Error {
  override readonly name = 'DirectConnectionError';

  constructor(cause: unknown) {
    super(`The direct connection to the database failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** The database was migrated by a newer build than this one. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** The database ran another form of a migration than the one in this build. */
export class ChangedMigrationError extends Error {
  override readonly name = 'ChangedMigrationError';

  constructor(migrations: readonly string[]) {
    super(
      `This database ran another form of ${migrations.join(', ')} than this build has. Nothing was changed. ` +
        'Start the build that ran it, or undo the edit of the migration and add a new migration instead.',
    );
  }
}

/** A migration failed, and all pending migrations were rolled back. `cause` is the reason. */
export class MigrationFailedError extends Error {
  override readonly name = 'MigrationFailedError';
  readonly migration: string;

  constructor(migration: string, cause: unknown) {
    super(
      `Migration ${migration} failed and was rolled back: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
    this.migration = migration;
  }
}

/** Returns whether a transaction failed because of a serialization failure or a deadlock. It can safely be run again. */
export function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/**
 * Returns whether a row violated a unique constraint or index: the one named `constraint` or, without a name, any of
 * them.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
}

/** Returns whether a row refers to one that does not exist, usually because another transaction has removed it. */
export function isMissingReference(error: unknown): boolean {
  return codeOf(error) === '23503';
}

// The codes of sockets that broke or could not be opened, and of a server that is starting, stopping or too slow (57014,
// 55P03 and 25P03 are the timeouts of a statement, a lock and an idle transaction). Class 08 is "connection exception",
// class 53 "insufficient resources".
const unavailableCodes = new Set(
  [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
  ].concat(['57P01', '57P02', '57P03', '57P05', '57014', '55P03', '25P03']),
);

// The messages of errors of pg and PGlite that have no code.
const unavailableMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'PGlite is clos',
];

/**
 * Returns whether the database cannot respond now, for example because it is overloaded or stopping. A retry may
 * succeed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseClosedError || findStorageProblem(error) !== null || isOutdatedPlan(error)) return true;
  const code = codeOf(error);
  if (code !== undefined && (unavailableCodes.has(code) || /^(08|53)/.test(code))) return true;
  if (unavailableMessages.some((message) => error.message.startsWith(message))) return true;
  return isUnavailable(error.cause);
}

const OUTDATED_PLAN = 'cached plan must not change result type';

/**
 * Returns whether a prepared statement cannot run because the schema has changed since it was prepared, or because the
 * server no longer has it. A newer build changes the schema while this one runs.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '26000' || (error instanceof Error && error.message.startsWith(OUTDATED_PLAN));
}

const storageProblems: Readonly<Record<string, string>> = {
  '53100': 'disk full',
  '58030': 'disk error',
  '25006': 'database read-only',
  ENOSPC: 'disk full',
  EDQUOT: 'disk full',
  EROFS: 'disk read-only',
  EIO: 'disk error',
};

/** Returns why the database or the disk stores nothing at present, or null if the error has another reason. */
export function findStorageProblem(error: unknown): string | null {
  if (error instanceof DiskFullError) return 'disk full';
  return storageProblems[codeOf(error) ?? ''] ?? null;
}

/**
 * Runs a write that can be left out, such as the time at which a key was last used, so that reading still works while
 * nothing can be stored.
 */
export async function skipIfDiskFull(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (findStorageProblem(error) === null) throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
