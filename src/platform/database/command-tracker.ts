/**
 * Commands that do not change the meaning of parsed statements. All others count as schema changes: DDL, DO and CALL
 * (which may run DDL), DISCARD ALL, DEALLOCATE, and unknown commands.
 */
const KEEPS_SCHEMA = new Set([
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY', 'FETCH', 'MOVE', 'DECLARE CURSOR', 'CLOSE CURSOR'],
  ...['BEGIN', 'START TRANSACTION', 'SAVEPOINT', 'RELEASE', 'COMMIT', 'ROLLBACK', 'LOCK TABLE', 'SET CONSTRAINTS'],
  ...['LISTEN', 'UNLISTEN', 'NOTIFY', 'SHOW', 'EXPLAIN', 'TRUNCATE TABLE'],
  ...['CHECKPOINT', 'VACUUM', 'ANALYZE', 'DISCARD PLANS'],
]);

const WRITES_ROWS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY']);

/**
 * After this number of written rows, statements are planned again. A plan fits the table sizes at the time it was made:
 * a plan for an empty table still scans the whole table after thousands of rows were added. Scanning this many rows is
 * cheap.
 */
const ROWS_BEFORE_NEW_PLANS = 1_000;

/** Tracks the commands of a connection that affect prepared statements. */
export class CommandTracker {
  #isSchemaChanged = false;
  #isChangedInTransaction = false;
  #rowsWritten = 0;

  /**
   * @param tag the command tag of the database, such as "INSERT 0 5"
   * @param sent the message that contained the command
   */
  recordCompleted(tag: string, sent: Uint8Array): void {
    const command = tag.replace(/[ \d]+$/, '');
    if (WRITES_ROWS.has(command)) this.#rowsWritten += Number(tag.slice(tag.lastIndexOf(' ') + 1));
    if (changesSchema(command, sent)) this.recordUnknown();
    else if (command === 'ROLLBACK' || command === 'COMMIT') this.#endTransaction(command);
  }

  /** Records that an unknown command ran. */
  recordUnknown(): void {
    this.#isSchemaChanged = true;
    this.#isChangedInTransaction = true;
  }

  /** Returns whether the schema may have changed since the last call. */
  takeSchemaChanged(): boolean {
    const isChanged = this.#isSchemaChanged;
    this.#isSchemaChanged = false;
    return isChanged;
  }

  /** Returns whether so many rows were written since it last returned true that statements should be planned again. */
  takeManyWritten(): boolean {
    if (this.#rowsWritten < ROWS_BEFORE_NEW_PLANS) return false;
    this.#rowsWritten = 0;
    return true;
  }

  /** Records the end of a transaction: a rollback reverts schema changes, and every end reverts SET LOCAL. */
  #endTransaction(command: 'ROLLBACK' | 'COMMIT'): void {
    if (this.#isChangedInTransaction) this.#isSchemaChanged = true;
    // A rollback to a savepoint has the same tag, but the transaction continues.
    if (command === 'COMMIT') this.#isChangedInTransaction = false;
  }
}

function changesSchema(command: string, sent: Uint8Array): boolean {
  if (command === 'SET') return !isHarmlessSet(sent);
  // The tag of CREATE TABLE … AS is SELECT.
  if (command === 'SELECT') return /\bcreate\s/i.test(textOf(sent));
  return !KEEPS_SCHEMA.has(command);
}

/** Returns whether a SET cannot change the meaning of a name, which depends on the search path and the role. */
function isHarmlessSet(sent: Uint8Array): boolean {
  const text = textOf(sent);
  return /\bset\s/i.test(text) && !/search_path|schema|role|authorization/i.test(text);
}

/** Returns the beginning of a message, which contains the statement. The parameters after it can be megabytes long. */
function textOf(sent: Uint8Array): string {
  return Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength).toString('latin1', 0, 16_000);
}
