/**
 * Commands after which every statement still means what it meant when it was parsed. All others count as changes of the
 * schema, also those nobody thought of: DDL, DO and CALL (which may hold DDL), DISCARD ALL, DEALLOCATE.
 */
const KEEPS_SCHEMA = new Set([
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY', 'FETCH', 'MOVE', 'DECLARE CURSOR', 'CLOSE CURSOR'],
  ...['BEGIN', 'START TRANSACTION', 'SAVEPOINT', 'RELEASE', 'COMMIT', 'ROLLBACK', 'LOCK TABLE', 'SET CONSTRAINTS'],
  ...['LISTEN', 'UNLISTEN', 'NOTIFY', 'SHOW', 'EXPLAIN', 'TRUNCATE TABLE'],
  ...['CHECKPOINT', 'VACUUM', 'ANALYZE', 'DISCARD PLANS'],
]);

const WRITES_ROWS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY']);

/**
 * A kept plan was made for the table sizes of its time: one made for an empty table reads all of it, again and again,
 * after thousands of rows came in. A scan of this many rows more than planned is still cheap.
 */
const ROWS_BEFORE_NEW_PLANS = 1_000;

/** Follows what runs on a connection, as far as it matters to statements that are kept prepared. */
export class CommandWatch {
  #isSchemaChanged = false;
  #isChangedInTransaction = false;
  #rowsWritten = 0;

  /** @param tag what the database called the command, e.g. "INSERT 0 5". @param sent the message it came in. */
  completed(tag: string, sent: Uint8Array): void {
    const command = tag.replace(/[ \d]+$/, '');
    if (WRITES_ROWS.has(command)) this.#rowsWritten += Number(tag.slice(tag.lastIndexOf(' ') + 1));
    if (changesSchema(command, sent)) this.unknownCompleted();
    else if (command === 'ROLLBACK' || command === 'COMMIT') this.#transactionEnded(command);
  }

  /** Something ran, and nobody knows what. */
  unknownCompleted(): void {
    this.#isSchemaChanged = true;
    this.#isChangedInTransaction = true;
  }

  /** Whether the schema may have changed since the last call. */
  takeSchemaChanged(): boolean {
    const isChanged = this.#isSchemaChanged;
    this.#isSchemaChanged = false;
    return isChanged;
  }

  /** Whether so many rows were written since the last time this was true that plans should be made anew. */
  takeManyWritten(): boolean {
    if (this.#rowsWritten < ROWS_BEFORE_NEW_PLANS) return false;
    this.#rowsWritten = 0;
    return true;
  }

  /** A rollback takes changes of the schema back, and the end of a transaction what SET LOCAL did in it. */
  #transactionEnded(command: 'ROLLBACK' | 'COMMIT'): void {
    if (this.#isChangedInTransaction) this.#isSchemaChanged = true;
    // Back to a savepoint is called ROLLBACK, too, and the transaction goes on.
    if (command === 'COMMIT') this.#isChangedInTransaction = false;
  }
}

function changesSchema(command: string, sent: Uint8Array): boolean {
  if (command === 'SET') return !isHarmlessSet(sent);
  // CREATE TABLE … AS calls itself SELECT.
  if (command === 'SELECT') return /\bcreate\s/i.test(textOf(sent));
  return !KEEPS_SCHEMA.has(command);
}

/** What a name stands for depends on the search path and, where that holds "$user", on the role. */
function isHarmlessSet(sent: Uint8Array): boolean {
  const text = textOf(sent);
  return /\bset\s/i.test(text) && !/search_path|schema|role|authorization/i.test(text);
}

/** The text is at the beginning of a message, behind statements to close at most; parameters can be megabytes. */
function textOf(sent: Uint8Array): string {
  return Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength).toString('latin1', 0, 16_000);
}
