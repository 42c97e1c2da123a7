import { PostgresDialect } from 'kysely';
import { type ClientBase, Pool } from 'pg';
import type { ObjectStorage } from '../objects/object-storage.ts';
import { untraced } from '../telemetry/index.ts';
import { clientsOf } from './connect-client.ts';
import { type CurrentUrl, connectionOptions } from './connection-options.ts';
import type { Database } from './database.ts';
import { endIfSilent, KEEP_ALIVE, OpenSockets } from './dead-peers.ts';
import { assembleDatabase } from './engine.ts';
import { DatabaseSetupError } from './errors.ts';
import { sharesConnections } from './find-pooler.ts';
import { preparePooledConnections } from './prepare-pooled.ts';
import { prepareRepeated } from './prepare-repeated.ts';
import { withPasswordChanges } from './retry-passwords.ts';
import { SET_CLIENT, SET_SESSION } from './session-settings.ts';
import { TransactionGuard } from './transaction-guard.ts';
import { asText, valueParsers } from './values.ts';

export interface PostgresOptions {
  readonly url: string;
  /** The same database without a pooler in transaction mode. Equal to `url` if there is no such pooler. */
  readonly directUrl: string;
  readonly currentUrl?: CurrentUrl | undefined;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  /** How long a connection may be silent before it is ended. null: for ever, for statements that can take long. */
  readonly maxSilenceMs: number | null;
  readonly log: { warn(details: object, message: string): void } | undefined;
  /** Default: none. */
  readonly objects?: ObjectStorage | null;
}

/** Opens a pool of connections and checks that the server responds. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, directUrl, currentUrl, poolSize, connectTimeoutMs, maxSilenceMs, log, objects = null } = options;
  const isPooled = url !== directUrl;
  let checked: Promise<void> | undefined;
  const sockets = new OpenSockets();
  const pool = new Pool({
    ...connectionOptions(url, currentUrl),
    application_name: 'almanac',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    ...KEEP_ALIVE,
    stream: sockets.create,
    types: { getTypeParser: (type: number) => valueParsers.get(type) ?? asText },
    onConnect: async (client: ClientBase) => {
      // A connection can break at any time, while it is idle or in a transaction between two statements. Without this
      // listener, that would end the process. The next statement on the connection gets an error.
      client.on('error', (error) => untraced(() => log?.warn({ err: error }, 'lost a database connection')));
      if (maxSilenceMs !== null) endIfSilent(client, maxSilenceMs);
      if (!isPooled) checked ??= refuseSharedConnections(client, options);
      await checked;
      await client.query(isPooled ? SET_CLIENT : SET_SESSION);
      if (!isPooled) prepareRepeated(client);
    },
  });
  // The pool repeats the error of an idle connection, which is logged above.
  pool.on('error', () => undefined);
  try {
    if (isPooled) await preparePooledConnections(options);
    await pool.query('select 1');
  } catch (error) {
    await sockets.closeWith(() => pool.end());
    throw error;
  }
  return assembleDatabase(
    { kind: 'postgres', guard: new TransactionGuard(), url, directUrl, currentUrl },
    new PostgresDialect({ pool: currentUrl === undefined ? pool : withPasswordChanges(pool) }),
    { release: () => pool.end(), closeWith: (close) => sockets.closeWith(close), objects },
  );
}

/** Throws if the settings of a session would reach the transactions of others, and not the own ones. */
async function refuseSharedConnections(
  client: ClientBase,
  { url, connectTimeoutMs, currentUrl }: PostgresOptions,
): Promise<void> {
  if (!(await sharesConnections(client, clientsOf(url, connectTimeoutMs, { currentUrl })))) return;
  throw new DatabaseSetupError(
    'DATABASE_URL leads to a pooler in transaction mode. Set DATABASE_DIRECT_URL to the same database without the ' +
      'pooler, for LISTEN, the queue and migrations. See "Connection pooler" in docs/operations.md.',
  );
}
