import type { ClientBase, QueryResult } from 'pg';
import { isOutdatedPlan } from './errors.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** Maximum number of statements that a connection keeps. The server needs about 30 kB for each on each connection. */
const MAX_PREPARED = 150;

/** The part of pg's client that its types leave out. */
interface Protocol {
  readonly connection: {
    /** The names of the statements that the server has, with their texts. */
    readonly parsedStatements: Record<string, string>;
  };
}

/**
 * Makes a connection prepare the statements that it repeats. The server then neither parses nor plans them again, which is
 * most of its work for a small read. It must not be used behind a pooler in transaction mode, because a statement is
 * prepared on only one of the pooler's connections.
 */
export function prepareRepeated(client: ClientBase, prepared = new PreparedStatements(MAX_PREPARED)): void {
  const send = client.query.bind(client) as (...parameters: unknown[]) => Promise<QueryResult>;
  const { parsedStatements } = (client as unknown as Protocol).connection;
  const isIdle = (): boolean => client.getTransactionStatus() === 'I';

  const closeDropped = async (): Promise<void> => {
    const names = prepared.takeDropped();
    if (names.length === 0) return;
    for (const name of names) delete parsedStatements[name];
    // If they do not exist, a pooler or another client has already removed them.
    await send(names.map((name) => `DEALLOCATE ${name}`).join('; ')).catch(() => undefined);
  };
  const run = async (text: string, values: readonly unknown[]): Promise<QueryResult> => {
    // A failed transaction would refuse to close statements, and to run this one again.
    const wasIdle = isIdle();
    if (wasIdle) await closeDropped();
    const { name, isKnown } = prepared.nameFor(text);
    if (name === '') return send(text, values);
    try {
      return await send({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      prepared.forgetAll();
      if (!wasIdle) throw error;
      return await send(text, values);
    } finally {
      // A statement that failed after it was parsed stays prepared.
      if (!isKnown && name in parsedStatements) prepared.remember(text, name);
    }
  };
  // The form that Kysely uses. The others have callbacks, or send several statements.
  const query = (...parameters: unknown[]): Promise<QueryResult> => {
    const [text, values] = parameters;
    const hasValues = parameters.length === 2 && Array.isArray(values) && values.length > 0;
    return typeof text === 'string' && hasValues ? run(text, values) : send(...parameters);
  };
  client.query = query as typeof client.query;
}
