/** The plain handle was used inside a transaction, or a transaction was opened inside another. A bug of the caller. */
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

/** Another process (or this one, twice) wants the folder of an embedded database that is open already. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
  readonly folder: string;
  readonly holderPid: number | undefined;

  constructor(folder: string, holderPid: number | undefined) {
    const holder =
      holderPid === undefined ? 'another process' : holderPid === process.pid ? 'this process' : `process ${holderPid}`;
    super(
      `The database in ${folder} is in use by ${holder}. Nothing was changed. ` +
        'Stop that process, use the command line beside it, or choose another database with DATABASE_URL or ALMANAC_DATA.',
    );
    this.folder = folder;
    this.holderPid = holderPid;
  }
}

/** The folder holds database files that this build's engine cannot read. */
export class IncompatibleFolderError extends Error {
  override readonly name = 'IncompatibleFolderError';
}

/** The database was migrated by a newer build than this one. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** A migration failed. Everything this start had migrated was rolled back with it; `cause` says why. */
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
