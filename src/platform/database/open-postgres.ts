import { PostgresDialect } from 'kysely';
import { type ClientBase, Pool } from 'pg';
import type { Database } from './database.ts';
import { assembleDatabase } from './engine.ts';
import { prepareRepeated } from './prepare-repeated.ts';
import { TransactionGuard } from './transaction-guard.ts';
import { asText, valueParsers } from './values.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly log: { warn(details: object, message: string): void } | undefined;
}

/**
 * The settings of every connection, regardless of the settings of the server, role or database. They determine the text
 * from which values are parsed, and the results of casts such as `moment::date`. All except the timeouts are PGlite's
 * defaults.
 *
 * A transaction that stops, for example because its machine froze, is ended after 15 seconds. Until then, statements
 * that wait for its locks fail after 3 seconds, so that they do not take every connection of the pool.
 */
const sessionSettings = [
  "set timezone = 'UTC'",
  "set datestyle = 'ISO'",
  "set intervalstyle = 'postgres'",
  "set bytea_output = 'hex'",
  "set default_transaction_isolation = 'read committed'",
  "set statement_timeout = '30s'",
  "set lock_timeout = '3s'",
  "set idle_in_transaction_session_timeout = '15s'",
].join('; ');

/** Opens a pool of connections and checks that the server responds. */
export async function openPostgres({ url, poolSize, connectTimeoutMs, log }: PostgresOptions): Promise<Database> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'almanac',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: (type: number) => valueParsers.get(type) ?? asText },
    onConnect: async (client: ClientBase) => {
      // A connection can break at any time, while it is idle or in a transaction between two statements. Without this
      // listener, that would end the process. The next statement on the connection gets an error.
      client.on('error', (error) => log?.warn({ err: error }, 'lost a database connection'));
      await client.query(sessionSettings);
      prepareRepeated(client);
    },
  });
  // The pool repeats the error of an idle connection, which is logged above.
  pool.on('error', () => undefined);
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return assembleDatabase({ kind: 'postgres', guard: new TransactionGuard(), url }, new PostgresDialect({ pool }), {
    release: () => pool.end(),
  });
}
