import type { FastifyInstance } from 'fastify';
import { apiMigrations, buildApp, createRateLimiter, removeOldWindows } from './api/index.ts';
import { createBundledSeries, createEconomicSource, indexSources } from './datasets/index.ts';
import { type IdentityContext, identityMigrations, removeExpiredSessions } from './identity/index.ts';
import {
  createBundledProvider,
  createMarket,
  createMarketSource,
  type MarketProvider,
  marketMigrations,
} from './market/index.ts';
import {
  type Clock,
  type Config,
  type Database,
  type DomainMigrations,
  type Log,
  migrate,
  openDatabase,
  openQueue,
  type Queue,
  type QueueDefinition,
  readSigningKey,
  signingMigrations,
  systemClock,
} from './platform/index.ts';
import {
  createSnapshotExports,
  createSourceRegistry,
  removeUnusedSnapshots,
  snapshotMigrations,
} from './snapshots/index.ts';
import { openPersonalWorkspace, workspaceMigrations } from './workspaces/index.ts';

/** Floor by floor: a domain's tables may refer to those of lower floors. */
export const MIGRATIONS: readonly DomainMigrations[] = [
  signingMigrations,
  snapshotMigrations,
  identityMigrations,
  workspaceMigrations,
  marketMigrations,
  apiMigrations,
];

const HOUSEKEEPING: QueueDefinition = { name: 'housekeeping', retryLimit: 0, policy: 'singleton' };

export const QUEUES: readonly QueueDefinition[] = [HOUSEKEEPING];

/** How long a start waits for a command-line run that has the embedded database open for a moment. */
const LOCK_WAIT_MS = 5_000;

/** The parts below the edge: enough to run a command. */
export interface Foundation {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly identity: IdentityContext;
}

/** Opens the database, brings it up to date and wires the domains. */
export async function openFoundation(config: Config, log: Log, lockWaitMs = LOCK_WAIT_MS): Promise<Foundation> {
  const database = await openDatabase({
    ...(config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataFolder }),
    poolSize: config.databasePool,
    lockWaitMs,
    log,
  });
  try {
    await migrate(database, MIGRATIONS);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { config, log, database, identity: identityOf(database) };
}

export function identityOf(database: Database): IdentityContext {
  return { database, clock: systemClock, onAccountCreated: openPersonalWorkspace };
}

/**
 * The HTTP edge over a foundation.
 *
 * @param providers asked for bars before the bundled data
 */
export function buildApi(
  foundation: Foundation,
  siteUrl: () => string,
  providers: readonly MarketProvider[] = [],
): Promise<FastifyInstance> {
  const { database, config, log, identity } = foundation;
  return buildApp({
    config,
    log,
    clock: systemClock,
    database,
    identity,
    limiter: createRateLimiter(database),
    ...openData({ database, log, clock: systemClock, providers }),
    siteUrl,
  });
}

export interface DataOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked before the bundled data. */
  readonly providers: readonly MarketProvider[];
}

/** Where series come from, and the ways to find and read them. */
export function openData({ database, clock, log, providers }: DataOptions) {
  let key: Promise<Buffer> | undefined;
  const cursorKey = (): Promise<Buffer> => {
    key ??= readSigningKey(database, 'cursors').catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  const exports = createSnapshotExports({ database, clock });
  const bundled = [...providers, createBundledProvider()];
  const market = createMarket({ database, clock, exports, cursorKey, providers: bundled });
  const sources = createSourceRegistry([
    createMarketSource(market),
    createEconomicSource([createBundledSeries()], clock),
  ]);
  return { exports, market, sources, search: { ...indexSources(sources.all, log), cursorKey } };
}

/** Starts handling jobs, the recurring ones included. */
export async function startWorker(foundation: Foundation): Promise<Queue> {
  const { database, log, identity } = foundation;
  const queue = await openQueue(database, { queues: QUEUES, supervise: true, log });
  try {
    await queue.work(HOUSEKEEPING.name, {}, async () => {
      await removeExpiredSessions(identity);
      await removeOldWindows(database);
      await removeUnusedSnapshots({ database, clock: systemClock });
    });
    await queue.schedule(HOUSEKEEPING.name, '*/10 * * * *');
  } catch (error) {
    await queue.stop();
    throw error;
  }
  return queue;
}
