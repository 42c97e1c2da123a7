import { type ConstructorOptions, fromPglite } from 'pg-boss';
import type { Engine } from '../database/engine.ts';

export interface BossSettings {
  readonly schema: string;
  readonly supervise: boolean;
}

/** Returns the options of pg-boss for each database. */
export function bossOptions(engine: Engine, { schema, supervise }: BossSettings): ConstructorOptions {
  const common: ConstructorOptions = {
    schema,
    supervise,
    schedule: supervise,
    useListenNotify: true,
    // How soon the job of a killed worker is detected after its last heartbeat. The default is a minute.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  };
  if (engine.kind === 'postgres') {
    // A small separate pool: pg-boss then keeps its LISTEN connection alive, and a burst of requests cannot prevent workers
    // from finishing their jobs.
    return {
      ...common,
      connectionString: engine.url,
      application_name: 'almanac-queue',
      max: 3,
      connectionTimeoutMillis: 5_000,
    };
  }
  // Vacuum and reindex are for a server; PGlite has its own cleanup.
  return { ...common, backend: 'pglite', db: guardedPglite(engine), monitorVacuum: false, reindex: false };
}

/**
 * Returns pg-boss's PGlite adapter with a guard, which throws where it would hang (inside a transaction), and with the
 * mutex: after an error the adapter rolls back in a second step, and no other statement may run between the two.
 */
function guardedPglite({
  pglite,
  statements,
  guard,
  mutex,
}: Extract<Engine, { kind: 'pglite' }>): NonNullable<ConstructorOptions['db']> {
  const adapter = fromPglite({
    query: (text, values) => statements.run(text, values),
    exec: (text) => pglite.exec(text),
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
