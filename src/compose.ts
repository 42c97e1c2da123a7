import type { FastifyInstance } from 'fastify';
import { apiMigrations, buildApp, createRateLimiter, removeOldWindows } from './api/index.ts';
import { checkpointFolders, type ModelCheckpoints, openModelCheckpoints, startEngine } from './compute/index.ts';
import { Fault } from './contract/index.ts';
import { createBundledSeries, createEconomicSource, indexSources } from './datasets/index.ts';
import { type IdentityContext, identityMigrations, removeExpiredSessions } from './identity/index.ts';
import {
  FORECAST_QUEUES,
  jobMigrations,
  removeOldProofs,
  removeOldRequests,
  startForecastWorker,
} from './jobs/index.ts';
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
  jobMigrations,
  apiMigrations,
];

const HOUSEKEEPING: QueueDefinition = { name: 'housekeeping', retryLimit: 0, policy: 'singleton' };

export const QUEUES: readonly QueueDefinition[] = [HOUSEKEEPING, ...FORECAST_QUEUES];

/** How long a start waits for a command-line run that has the embedded database open for a moment. */
const LOCK_WAIT_MS = 5_000;

/** The parts below the edge: enough to run a command. */
export interface Foundation {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly identity: IdentityContext;
  /** One for all that runs here: what was found damaged is looked into and told of once. */
  readonly checkpoints: ModelCheckpoints;
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
  return { config, log, database, identity: identityOf(database), checkpoints: checkpointsOf(config, log) };
}

export function identityOf(database: Database): IdentityContext {
  return { database, clock: systemClock, onAccountCreated: openPersonalWorkspace };
}

export interface ApiOptions {
  readonly siteUrl: () => string;
  /** Where jobs are put. Without one nothing can be queued. */
  readonly queue?: Queue | undefined;
  /** Asked for bars before the bundled data. */
  readonly providers?: readonly MarketProvider[];
}

/** The HTTP edge over a foundation. */
export function buildApi(foundation: Foundation, options: ApiOptions): Promise<FastifyInstance> {
  const { database, config, log, identity, checkpoints } = foundation;
  const { siteUrl, queue = NO_QUEUE, providers = [] } = options;
  const data = openData({ database, log, clock: systemClock, providers });
  const { sources, search } = data;
  return buildApp({
    config,
    log,
    clock: systemClock,
    database,
    identity,
    limiter: createRateLimiter(database),
    ...data,
    jobs: { database, clock: systemClock, sources, queue, checkpoints, cursorKey: search.cursorKey },
    siteUrl,
  });
}

export function checkpointsOf({ dataFolder, totoCheckpoint }: Config, log: Log): ModelCheckpoints {
  return openModelCheckpoints(checkpointFolders(dataFolder), { toto: totoCheckpoint, log });
}

const NO_QUEUE = new Proxy({} as Queue, {
  get: () => {
    throw new Fault('UNAVAILABLE', 'Jobs cannot be queued here.');
  },
});

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

/** What handles jobs in this process. */
export interface Worker {
  readonly queue: Queue;
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** Starts handling jobs, the recurring ones included. */
export async function startWorker(foundation: Foundation): Promise<Worker> {
  const { config, database, log, identity, checkpoints } = foundation;
  const queue = await openQueue(database, { queues: QUEUES, supervise: true, log });
  try {
    await queue.work(HOUSEKEEPING.name, {}, async () => {
      await removeExpiredSessions(identity);
      await removeOldWindows(database);
      await removeOldRequests(database, systemClock);
      await removeOldProofs(database, systemClock);
      await removeUnusedSnapshots({ database, clock: systemClock });
    });
    await queue.schedule(HOUSEKEEPING.name, '*/10 * * * *');
    const forecasts = await startForecastWorker({ database, clock: systemClock, queue, log, checkpoints }, () =>
      startEngine({ checkpoints: checkpointFolders(config.dataFolder) }),
    );
    return {
      queue,
      stop: async (options) => {
        await queue.stop(options);
        await forecasts.close();
      },
    };
  } catch (error) {
    await queue.stop();
    throw error;
  }
}
