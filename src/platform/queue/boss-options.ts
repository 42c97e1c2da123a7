import { type ConstructorOptions, fromPglite } from 'pg-boss';
import type { Engine } from '../database/engine.ts';

export interface BossSettings {
  readonly schema: string;
  readonly supervise: boolean;
}

/** How pg-boss is set up on each database. */
export function bossOptions(engine: Engine, { schema, supervise }: BossSettings): ConstructorOptions {
  const common: ConstructorOptions = {
    schema,
    supervise,
    schedule: supervise,
    useListenNotify: true,
    // How soon the job of a killed worker is noticed, after its heartbeat ran out. The default is a minute.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  };
  if (engine.kind === 'postgres') {
    // A small pool of its own instead of a share of ours: pg-boss then keeps its LISTEN connection alive by itself, and
    // a burst of requests cannot keep workers from finishing their jobs.
    return {
      ...common,
      connectionString: engine.url,
      application_name: 'almanac-queue',
      max: 3,
      connectionTimeoutMillis: 5_000,
    };
  }
  // Vacuum and reindex are background work on a server; PGlite has its own housekeeping.
  return { ...common, backend: 'pglite', db: guardedPglite(engine), monitorVacuum: false, reindex: false };
}

/**
 * pg-boss's PGlite adapter, which throws where it would hang (inside a transaction) and takes its turn like everyone
 * else: after an error the adapter rolls back in a second step, and nobody may come between the two.
 */
function guardedPglite({
  pglite,
  statements,
  guard,
  turns,
}: Extract<Engine, { kind: 'pglite' }>): NonNullable<ConstructorOptions['db']> {
  const adapter = fromPglite({
    query: (text, values) => statements.run(text, values),
    exec: (text) => pglite.exec(text),
    listen: (channel, hear) => pglite.listen(channel, hear),
  });
  return {
    ...adapter,
    executeSql: async (text: string, values?: unknown[]) => {
      guard.assertOutside('The queue was used inside a transaction without being given that transaction.');
      return turns.run(() => adapter.executeSql(text, values));
    },
  };
}
