import { type messages, parse, protocol, type Results } from '@electric-sql/pglite';
import { PreparedStatements } from './prepared-statements.ts';
import { findReplyError, isIdle, isParsed, writeStatement, writeValue } from './statement-messages.ts';
import type { WatchedPglite } from './watched-pglite.ts';

type Messages = messages.BackendMessage[];
type Values = readonly (string | null)[];

// An error is returned as one of the messages. The others show whether the statement is prepared and whether a
// transaction is open.
const AS_MESSAGES = { syncToFs: false, throwOnError: false } as const;
const DISCARD_PLANS = protocol.serialize.query('DISCARD PLANS');

export interface RunnerOptions {
  readonly prepared?: PreparedStatements;
  /** Throws if a statement must not run at present. */
  readonly admit?: (text: string) => void;
}

/**
 * Runs statements on PGlite with the same results and errors as its own `query`, but several times faster. For each
 * statement, `query` calls WebAssembly six times, and the database parses and plans the statement again. Here a
 * statement is one call, and a repeated statement is prepared.
 */
export class StatementRunner {
  readonly #pglite: WatchedPglite;
  readonly #prepared: PreparedStatements;
  readonly #admit: (text: string) => void;

  constructor(pglite: WatchedPglite, { prepared = new PreparedStatements(), admit = () => {} }: RunnerOptions = {}) {
    this.#pglite = pglite;
    this.#prepared = prepared;
    this.#admit = admit;
  }

  /** Runs a single statement outside a transaction. */
  async run<Row>(text: string, parameters: readonly unknown[] = []): Promise<Results<Row>> {
    const pglite = this.#pglite;
    const values = parameters.map(writeValue);
    // PGlite's own query() does the same. These methods are internal, but the public runExclusive() excludes only single
    // statements: with it alone, this statement could run in the middle of an open transaction.
    await pglite._checkReady();
    return pglite._runExclusiveTransaction(() =>
      pglite.runExclusive(async () => {
        const reply = await this.#exchange(text, values);
        // With Node's file system this does nothing, because PostgreSQL's own fsync applies.
        await pglite.syncToFs();
        return this.#resultIn<Row>(reply);
      }),
    );
  }

  /** Runs a script outside a transaction. */
  async runScript(text: string): Promise<Results[]> {
    this.#admit(text);
    return this.#pglite.exec(text);
  }

  /** Runs a statement in the open transaction. Call it inside `pglite.transaction()`, which excludes other statements. */
  async runInTransaction<Row>(text: string, parameters: readonly unknown[] = []): Promise<Results<Row>> {
    const values = parameters.map(writeValue);
    return this.#pglite.runExclusive(async () => this.#resultIn<Row>(await this.#exchange(text, values)));
  }

  async #exchange(text: string, values: Values): Promise<Messages> {
    this.#admit(text);
    let { reply, wasKnown } = await this.#send(text, values);
    if (wasKnown && isOutdated(reply)) {
      this.#prepared.forgetAll();
      ({ reply, wasKnown } = await this.#send(text, values));
    }
    const error = findReplyError(reply);
    if (error !== undefined) throw error;
    // Sent only if there was no error, because a failed transaction would refuse it.
    if (this.#pglite.commands.takeManyWritten()) await this.#pglite.execProtocolStream(DISCARD_PLANS, AS_MESSAGES);
    return reply;
  }

  async #send(text: string, values: Values): Promise<{ reply: Messages; wasKnown: boolean }> {
    if (this.#pglite.commands.takeSchemaChanged()) this.#prepared.forgetAll();
    const { name, isKnown } = this.#prepared.nameFor(text);
    const sent = writeStatement({ name, isKnown, text, values, close: this.#prepared.takeDropped() });
    const reply = await this.#pglite.execProtocolStream(sent, AS_MESSAGES);
    // A statement that failed after parsing stays prepared, even when its transaction is rolled back.
    if (name !== '' && !isKnown && isParsed(reply)) this.#prepared.remember(text, name);
    return { reply, wasKnown: isKnown };
  }

  #resultIn<Row>(reply: Messages): Results<Row> {
    const [result] = parse.parseResults(reply, this.#pglite.parsers, { rowMode: 'object' });
    return result as Results<Row>;
  }
}

/**
 * Returns whether a failed statement should be sent again. It may have failed only because the database parsed it
 * before an unnoticed schema change, made by a function that a SELECT called. It must not have been part of a
 * transaction. Class 42, "syntax error or access rule violation", includes types that no longer match.
 */
function isOutdated(reply: Messages): boolean {
  const code = findReplyError(reply)?.code ?? '';
  return (code === '0A000' || code === '26000' || code.startsWith('42')) && isIdle(reply);
}
