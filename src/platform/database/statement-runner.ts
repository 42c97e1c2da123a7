import { type messages, parse, protocol, type Results } from '@electric-sql/pglite';
import { PreparedStatements } from './prepared-statements.ts';
import { errorIn, isIdle, isParsed, writeStatement, writeValue } from './statement-messages.ts';
import type { WatchedPglite } from './watched-pglite.ts';

type Messages = messages.BackendMessage[];
type Values = readonly (string | null)[];

// An error comes as one of the messages: the others tell what it left prepared, and whether a transaction is open.
const AS_MESSAGES = { syncToFs: false, throwOnError: false } as const;
const DISCARD_PLANS = protocol.serialize.query('DISCARD PLANS');

/**
 * Runs statements on PGlite, with the results and errors of its own `query` but several times faster: that one calls
 * into WebAssembly six times for a statement, and has it parsed and planned each time. Here a statement is one call, and
 * one that comes again goes by the name it was prepared under.
 */
export class StatementRunner {
  readonly #pglite: WatchedPglite;
  readonly #prepared: PreparedStatements;

  constructor(pglite: WatchedPglite, prepared = new PreparedStatements()) {
    this.#pglite = pglite;
    this.#prepared = prepared;
  }

  /** Runs a statement by itself, while no transaction is open. */
  async run<Row>(text: string, parameters: readonly unknown[] = []): Promise<Results<Row>> {
    const pglite = this.#pglite;
    const values = parameters.map(writeValue);
    // What PGlite's own query() does. The names say "internal", but the public runExclusive() keeps out single
    // statements only: under it alone, this one could get into the middle of somebody's transaction.
    await pglite._checkReady();
    return pglite._runExclusiveTransaction(() =>
      pglite.runExclusive(async () => {
        const answer = await this.#exchange(text, values);
        // Does nothing on Node's file system, where PostgreSQL's own fsync counts; but that is for PGlite to know.
        await pglite.syncToFs();
        return this.#resultIn<Row>(answer);
      }),
    );
  }

  /** Runs a statement of the open transaction. For use inside `pglite.transaction()`, which keeps others out. */
  async runInTransaction<Row>(text: string, parameters: readonly unknown[] = []): Promise<Results<Row>> {
    const values = parameters.map(writeValue);
    return this.#pglite.runExclusive(async () => this.#resultIn<Row>(await this.#exchange(text, values)));
  }

  async #exchange(text: string, values: Values): Promise<Messages> {
    let { answer, wasKnown } = await this.#send(text, values);
    if (wasKnown && isOutdated(answer)) {
      this.#prepared.forgetAll();
      ({ answer, wasKnown } = await this.#send(text, values));
    }
    const error = errorIn(answer);
    if (error !== undefined) throw error;
    // Here, because after an error the open transaction would refuse it.
    if (this.#pglite.commands.takeManyWritten()) await this.#pglite.execProtocolStream(DISCARD_PLANS, AS_MESSAGES);
    return answer;
  }

  async #send(text: string, values: Values): Promise<{ answer: Messages; wasKnown: boolean }> {
    if (this.#pglite.commands.takeSchemaChanged()) this.#prepared.forgetAll();
    const { name, isKnown } = this.#prepared.nameFor(text);
    const sent = writeStatement({ name, isKnown, text, values, close: this.#prepared.takeDropped() });
    const answer = await this.#pglite.execProtocolStream(sent, AS_MESSAGES);
    // A statement that failed later than in parsing stays prepared, and stays when its transaction is rolled back.
    if (name !== '' && !isKnown && isParsed(answer)) this.#prepared.remember(text, name);
    return { answer, wasKnown: isKnown };
  }

  #resultIn<Row>(answer: Messages): Results<Row> {
    const [result] = parse.parseResults(answer, this.#pglite.parsers, { rowMode: 'object' });
    return result as Results<Row>;
  }
}

/**
 * Whether the statement may have failed only because the database had parsed it before a change of the schema that no
 * command told of (a function did it that a SELECT called), and can be sent again: it left nothing behind, unless it
 * was part of a transaction. Class 42 is "syntax error or access rule violation": types that fit no more.
 */
function isOutdated(answer: Messages): boolean {
  const code = errorIn(answer)?.code ?? '';
  return (code === '0A000' || code === '26000' || code.startsWith('42')) && isIdle(answer);
}
