import type { ClientBase } from 'pg';
import { type ConstructorOptions, fromPglite } from 'pg-boss';
import { connectionOptions } from '../database/connection-options.ts';
import { endIfSilent, KEEP_ALIVE, type OpenSockets } from '../database/dead-peers.ts';
import type { Engine } from '../database/engine.ts';
import { SET_NO_TIMEOUTS } from '../database/session-settings.ts';

export interface BossSettings {
  readonly schema: string;
  readonly supervise: boolean;
  /** How long a connection may be silent before it is ended. */
  readonly maxSilenceMs: number;
  /** The sockets of the connections, also of the one that listens, which pg-boss opens without its pool. */
  readonly sockets: OpenSockets;
}

/** Returns the options of pg-boss for the kind of database. */
export function bossOptions(
  engine: Engine,
  { schema, supervise, maxSilenceMs, sockets }: BossSettings,
): ConstructorOptions {
  const common: ConstructorOptions = {
    schema,
    supervise,
    schedule: supervise,
    useListenNotify: true,
    // How often pg-boss checks for jobs whose heartbeat has expired because their worker was killed. The default is a
    // minute.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  };
  if (engine.kind === 'postgres') {
    // The queue has its own small pool, so that pg-boss can keep its LISTEN connection open, and a burst of requests
    // cannot prevent workers from finishing their jobs.
    return {
      ...common,
      // pg-boss passes them to pg, and its type lacks what it does not use itself.
      ...(connectionOptions(engine.directUrl, engine.currentUrl) as ConstructorOptions),
      application_name: 'almanac-queue',
      max: 3,
      connectionTimeoutMillis: 5_000,
      ...poolOptions(engine, maxSilenceMs, sockets),
    };
  }
  // Vacuum and reindex are meant for a server; PGlite has its own cleanup.
  return { ...common, backend: 'pglite', db: guardedPglite(engine), monitorVacuum: false, reindex: false };
}

/** Returns options of the pool of pg that pg-boss passes on. */
function poolOptions(
  { url, directUrl }: Extract<Engine, { kind: 'postgres' }>,
  maxSilenceMs: number,
  sockets: OpenSockets,
) {
  return {
    ...KEEP_ALIVE,
    stream: sockets.create,
    onConnect: async (client: ClientBase): Promise<void> => {
      endIfSilent(client, maxSilenceMs);
      // Behind a pooler, the role has timeouts, which are meant for requests and not for the maintenance of the queue.
      if (directUrl !== url) await client.query(SET_NO_TIMEOUTS);
    },
  };
}

/**
 * Returns pg-boss's PGlite adapter with the transaction guard and the mutex. The guard throws if the adapter is used
 * inside a transaction, where it would hang. The mutex keeps other statements from running between an error and the
 * rollback.
 */
function guardedPglite({
  pglite,
  statements,
  guard,
  mutex,
}: Extract<Engine, { kind: 'pglite' }>): NonNullable<ConstructorOptions['db']> {
  const adapter = fromPglite({
    query: (text, values) => statements.run(text, values),
    exec: (text) => statements.runScript(text),
    listen: (channel, listener) => pglite.listen(channel, listener),
  });
  return {
    ...adapter,
    executeSql: async (text: string, values?: unknown[]) => {
      guard.assertOutside('The queue was used inside a transaction without that transaction. Pass it to the queue.');
      return mutex.run(() => adapter.executeSql(text, values));
    },
  };
}
