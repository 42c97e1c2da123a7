import { PostgresDialect } from 'kysely';
import { type ClientBase, Pool } from 'pg';
import { assembleDatabase } from './assemble-database.ts';
import type { Database } from './database.ts';
import { TransactionGuard } from './transaction-guard.ts';
import { asText, valueParsers } from './value-parsers.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly log: { warn(details: object, message: string): void } | undefined;
}

/**
 * What a session must be set to, whatever the server, role or database say: the text that values are parsed from
 * depends on it, and so do casts such as `moment::date`. The same holds on PGlite from the start.
 */
const sessionSettings = [
  "set timezone = 'UTC'",
  "set datestyle = 'ISO'",
  "set intervalstyle = 'postgres'",
  "set bytea_output = 'hex'",
  "set default_transaction_isolation = 'read committed'",
  "set statement_timeout = '30s'",
].join('; ');

/** Opens a pool of connections and makes sure that the server answers. */
export async function openPostgres({ url, poolSize, connectTimeoutMs, log }: PostgresOptions): Promise<Database> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'almanac',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: (type: number) => valueParsers.get(type) ?? asText },
    onConnect: async (client: ClientBase) => {
      // A connection may break at any time: idle, or in a transaction between two statements. Without a listener that
      // would end the process. Whoever uses the connection next gets an error from its statement.
      client.on('error', (error) => log?.warn({ err: error }, 'lost a database connection'));
      await client.query(sessionSettings);
    },
  });
  // The pool passes the error of an idle connection on; it was logged above.
  pool.on('error', () => undefined);
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return assembleDatabase({ kind: 'postgres', guard: new TransactionGuard(), url }, new PostgresDialect({ pool }), () =>
    pool.end(),
  );
}
