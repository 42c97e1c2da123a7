import { sql } from 'kysely';
import type { Foundation } from '../../compose/index.ts';
import { kindOf } from '../secrets/kinds.ts';
import type { DatabaseFacts } from './database-facts.ts';

/**
 * Reads what the doctor reports about the database, in the process that has it open. It changes nothing, except that the
 * online checks of providers record their outcome, as every request to a provider does.
 */
export async function inspectDatabase(foundation: Foundation, { online }: { online: boolean }): Promise<DatabaseFacts> {
  const { database } = foundation;
  const [platform, compose] = await Promise.all([import('../../platform/index.ts'), import('../../compose/index.ts')]);
  const askedAt = Date.now();
  const { rows } = await sql<{ now: number; version: string }>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, current_setting('server_version') AS version`.execute(
    database.query(),
  );
  const repliedAt = Date.now();
  const [server] = rows;
  const basics = {
    kind: database.kind,
    version: server?.version ?? '',
    responseMs: repliedAt - askedAt,
    // The server read its clock at some time between both.
    clockAheadMs: Math.round(outside(server?.now ?? askedAt, askedAt, repliedAt)),
    bytes: await platform.readDatabaseSize(database),
    storageProblem: database.findProblem(),
    ...(await platform.listPendingMigrations(database, compose.MIGRATIONS)),
  };
  if (basics.pending.length > 0) return { ...basics, content: null };
  const hasQueue = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'queue'`.execute(database.query());
  if (hasQueue.rows.length === 0) return { ...basics, content: null };
  return { ...basics, content: await readContent(foundation, online) };
}

/** Returns by how much a value is above or below a range; 0 if it is in the range. */
function outside(value: number, from: number, to: number): number {
  if (value < from) return value - from;
  return value > to ? value - to : 0;
}

async function readContent(foundation: Foundation, online: boolean): Promise<DatabaseFacts['content']> {
  const { database, config } = foundation;
  const [platform, compose, market, datasets, forecasts, provenance] = await Promise.all([
    import('../../platform/index.ts'),
    import('../../compose/index.ts'),
    import('../../market/index.ts'),
    import('../../datasets/index.ts'),
    import('../../forecasts/index.ts'),
    import('../../provenance/index.ts'),
  ]);
  const known = compose.listKnownProviders(foundation, foundation.providers);
  const providers = [
    ...(await market.reportProviders(foundation, known, { withStates: true })),
    ...(await datasets.reportEconomicProviders(foundation, compose.listKnownAdapters(foundation))),
  ];
  const { queues, workerSeenAt } = await platform.readQueueReport(database);
  const { oldest_unstamped_at, waiting } = await provenance.countProofs(database);
  const now = foundation.clock.now().getTime();
  const ageOf = (instant: number) => Math.max(0, Math.round((now - instant) / 1000));
  return {
    queues: queues.map(({ name, waiting, oldestSeconds }) => ({ name, waiting, oldestSeconds })),
    workerSeenSeconds: workerSeenAt && ageOf(workerSeenAt.getTime()),
    engines: (await forecasts.listForecastBacklogs(database)).map(({ engine, waiting, oldestSeconds, workers }) => {
      return { engine, waiting, oldestSeconds, workers };
    }),
    providers: providers
      .filter(({ configured }) => configured)
      .map(({ id, state = 'closed', last_failure = null }) => ({ id, state, failure: last_failure?.fault ?? null })),
    checks: online ? await checkProviders(foundation) : null,
    rotations: await readRotations(foundation),
    stamper: {
      kind: config.stamps.stamper?.kind ?? null,
      oldestSeconds: oldest_unstamped_at === null ? null : ageOf(Date.parse(oldest_unstamped_at)),
      reasons: Object.keys(waiting),
    },
  };
}

async function readRotations({ database }: Foundation): Promise<NonNullable<DatabaseFacts['content']>['rotations']> {
  const [{ listSigningKeys }, { countWebhooksOfEarlierKeys }] = await Promise.all([
    import('../../platform/index.ts'),
    import('../../notifications/index.ts'),
  ]);
  const keys = await listSigningKeys(database);
  return {
    earlier: keys.flatMap(({ name, earlier }) =>
      earlier.map(({ acceptedUntil }) => ({ kind: kindOf(name), until: acceptedUntil?.toISOString() ?? null })),
    ),
    webhooks: await countWebhooksOfEarlierKeys(database),
  };
}

async function checkProviders({ database, clock, providers, adapters }: Foundation) {
  const [{ checkProvider }, { checkEconomicProvider }] = await Promise.all([
    import('../../market/index.ts'),
    import('../../datasets/index.ts'),
  ]);
  const checks = await Promise.all([
    ...providers.map((one) => checkProvider({ database, clock }, one)),
    ...adapters.map((one) => checkEconomicProvider({ database, clock }, one)),
  ]);
  return checks.map(({ provider, error, newest }) => ({
    id: provider,
    fault: error?.fault ?? (newest === null ? 'NO_ROWS' : null),
    message: error?.message ?? null,
  }));
}
