import type { FastifyInstance } from 'fastify';
import { EVERY_LICENSE, type Licenses, licensesWithout } from './access/index.ts';
import {
  apiMigrations,
  buildApp,
  createRateLimiter,
  oauthErrorPage,
  removeOldWindows,
  sessionSecretOf,
} from './api/index.ts';
import { checkpointFolders, type ModelCheckpoints, openModelCheckpoints, startEngine } from './compute/index.ts';
import { Fault, type MarketReference } from './contract/index.ts';
import { createBundledSeries, createEconomicSource, indexSources } from './datasets/index.ts';
import {
  type IdentityContext,
  identityMigrations,
  MAIL_QUEUE,
  openAccessTokens,
  openOAuth,
  openOutsideIssuers,
  removeExpiredLinks,
  removeExpiredOAuth,
  removeExpiredSessions,
  removeOldSecurityEvents,
  requestMailThrough,
  startMailWorker,
} from './identity/index.ts';
import {
  FORECAST_QUEUES,
  forecastsIn,
  jobMigrations,
  privateToOthers,
  removeForecastsIn,
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
  createMailer,
  type Database,
  type DomainMigrations,
  type Log,
  migrate,
  openDatabase,
  openQueue,
  type Queue,
  type QueueDefinition,
  readQueueDepths,
  readSigningKey,
  signingMigrations,
  systemClock,
  type Telemetry,
} from './platform/index.ts';
import { removeEventsIn, SCOUT_QUEUE, scoutMigrations, startScoutWorker } from './scout/index.ts';
import {
  endStaleMails,
  queueMailsThrough,
  removeOldMetrics,
  SCREENER_MAILS,
  SCREENER_QUEUE,
  type ScreenerRunContext,
  screenerMigrations,
  sendScreenerMail,
  startScreenerRuns,
} from './screener/index.ts';
import {
  createSnapshotExports,
  createSourceRegistry,
  removeUnusedSnapshots,
  type SeriesSource,
  snapshotMigrations,
} from './snapshots/index.ts';
import {
  createCsvSource,
  INVITATION_MAILS,
  openPersonalWorkspace,
  removeAbandonedUploads,
  removeOldInvitations,
  requestInvitationMailThrough,
  sendInvitation,
  type WorkspaceContext,
  workspaceMigrations,
} from './workspaces/index.ts';

/** Floor by floor: a domain's tables may refer to those of lower floors. */
export const MIGRATIONS: readonly DomainMigrations[] = [
  signingMigrations,
  snapshotMigrations,
  identityMigrations,
  workspaceMigrations,
  marketMigrations,
  jobMigrations,
  scoutMigrations,
  screenerMigrations,
  apiMigrations,
];

const HOUSEKEEPING: QueueDefinition = { name: 'housekeeping', retryLimit: 0, policy: 'singleton' };

export const QUEUES: readonly QueueDefinition[] = [
  HOUSEKEEPING,
  MAIL_QUEUE,
  SCOUT_QUEUE,
  SCREENER_QUEUE,
  ...FORECAST_QUEUES,
];

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

/** Without a queue everything but what sends mails. */
export function identityOf(database: Database, queue = NO_QUEUE): IdentityContext {
  return {
    database,
    clock: systemClock,
    onAccountCreated: openPersonalWorkspace,
    requestMail: requestMailThrough(queue),
  };
}

/** Workspaces with what higher floors keep in them. Without a queue everything but what sends mails or ends jobs. */
export function workspacesOf(database: Database, queue = NO_QUEUE): WorkspaceContext {
  return {
    database,
    clock: systemClock,
    requestMail: requestInvitationMailThrough(queue),
    onWorkspaceRemoved: async (tx, workspaceId, now) => {
      await removeForecastsIn({ queue }, tx, workspaceId, now);
      await removeEventsIn(tx, workspaceId);
    },
    forecastsIn,
    privateToOthers,
  };
}

export interface ApiOptions {
  readonly siteUrl: () => string;
  /** Where jobs are put. Without one nothing can be queued. */
  readonly queue?: Queue | undefined;
  /** Asked for bars before the bundled data. */
  readonly providers?: readonly MarketProvider[];
}

/** Lets the metrics page say how full queues are and how busy the database is kept. */
export function tellOf({ database }: Foundation, telemetry: Telemetry): void {
  telemetry.read({ queues: () => readQueueDepths(database), connections: () => database.connections() });
}

/** The HTTP edge over a foundation. */
export function buildApi(foundation: Foundation, options: ApiOptions): Promise<FastifyInstance> {
  const { database, config, log, identity, checkpoints } = foundation;
  const { siteUrl, queue = NO_QUEUE, providers = [] } = options;
  const licenses = licensesWithout(config.deniedLicenses);
  const data = openData({ database, log, clock: systemClock, providers, licenses });
  const { sources, search } = data;
  return buildApp({
    config,
    log,
    clock: systemClock,
    database,
    identity: { ...identity, requestMail: requestMailThrough(queue) },
    oauth: openOAuth(identity, { siteUrl, log, sessionSecret: sessionSecretOf, errorPage: oauthErrorPage }),
    accessTokens: openAccessTokens(identity, { siteUrl }),
    issuers: openOutsideIssuers({ issuers: config.issuers, clock: identity.clock, log, siteUrl }),
    limiter: createRateLimiter(database),
    ...data,
    licenses,
    jobs: { database, clock: systemClock, sources, queue, checkpoints, licenses, cursorKey: search.cursorKey },
    workspaces: workspacesOf(database, queue),
    csvFiles: { database, clock: systemClock, cursorKey: search.cursorKey },
    scout: { database, clock: systemClock, sources, cursorKey: search.cursorKey },
    screener: { database, clock: systemClock, cursorKey: search.cursorKey },
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
  /** Under which rows may be read; left out: every one. */
  readonly licenses?: Licenses;
}

/** Bars from whoever is configured, and from the bundled data. */
export function openMarket({ database, clock, providers, licenses = EVERY_LICENSE }: Omit<DataOptions, 'log'>) {
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
  const market = createMarket({ database, clock, exports, cursorKey, providers: bundled, licenses });
  return { exports, cursorKey, market };
}

/** Where series come from, and the ways to find and read them. */
export function openData({ log, ...options }: DataOptions) {
  const { database, clock, licenses = EVERY_LICENSE } = options;
  const { exports, cursorKey, market } = openMarket(options);
  const series = [
    createMarketSource(market),
    createEconomicSource([createBundledSeries()], clock),
    createCsvSource({ database }),
  ];
  const sources = createSourceRegistry(series, licenses);
  return { exports, market, sources, search: { ...indexSources(sources.all, log), cursorKey } };
}

/** The bundled bars alone: nothing but files is read, so there needs to be no database. */
export function openBundledMarket(): SeriesSource<MarketReference> {
  const providers = [createBundledProvider()];
  const nothing = {
    database: NO_DATABASE,
    exports: createSnapshotExports({ database: NO_DATABASE, clock: systemClock }),
  };
  const cursorKey = () => readSigningKey(NO_DATABASE, 'cursors');
  return createMarketSource(createMarket({ ...nothing, clock: systemClock, cursorKey, providers }));
}

const NO_DATABASE = new Proxy({} as Database, {
  get: () => {
    throw new Fault('UNAVAILABLE', 'There is no database here.');
  },
});

/** What handles jobs in this process. */
export interface Worker {
  readonly queue: Queue;
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** Where the service is reached when nobody says otherwise. */
function localOrigin({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export interface WorkerOptions {
  /** Where the links in mails lead. Empty: not known yet, and mails wait. */
  readonly siteUrl?: () => string;
  /** Asked for bars before the bundled data. */
  readonly providers?: readonly MarketProvider[];
}

/** What the screener's runs work with. Without a queue they send no mails. */
export function screenerRunsOf(
  { config, database, log }: Pick<Foundation, 'config' | 'database' | 'log'>,
  { providers = [], queue }: { readonly providers?: readonly MarketProvider[]; readonly queue?: Queue },
): ScreenerRunContext {
  const licenses = licensesWithout(config.deniedLicenses);
  return {
    database,
    clock: systemClock,
    log,
    market: openMarket({ database, clock: systemClock, providers, licenses }).market,
    lagMinutes: config.screenerLagMinutes,
    waitMinutes: config.screenerWaitMinutes,
    onRunCompleted:
      queue === undefined
        ? async () => {}
        : queueMailsThrough(queue, { clock: systemClock, perDay: config.screenerMailsPerDay }),
  };
}

/** Starts handling jobs, the recurring ones included. */
export async function startWorker(foundation: Foundation, options: WorkerOptions = {}): Promise<Worker> {
  const { config, database, log, identity, checkpoints } = foundation;
  const { siteUrl = () => config.siteUrl ?? localOrigin(config), providers = [] } = options;
  const queue = await openQueue(database, { queues: QUEUES, supervise: true, log });
  try {
    await queue.work(HOUSEKEEPING.name, {}, async () => {
      await removeExpiredSessions(identity);
      await removeExpiredLinks(identity);
      await removeExpiredOAuth(identity);
      await removeOldSecurityEvents(identity);
      await removeOldInvitations({ database, clock: systemClock });
      await removeOldWindows(database);
      await removeOldRequests(database, systemClock);
      await removeOldProofs(database, systemClock);
      await removeUnusedSnapshots({ database, clock: systemClock });
      await removeAbandonedUploads({ database, clock: systemClock });
      await removeOldMetrics({ database, clock: systemClock });
      await endStaleMails({ database, clock: systemClock });
    });
    await queue.schedule(HOUSEKEEPING.name, '*/10 * * * *');
    const delivery = { mailer: createMailer(config, log), siteUrl, log };
    await startMailWorker(identity, queue, delivery, {
      [INVITATION_MAILS]: (invitationId) =>
        sendInvitation({ database, clock: systemClock }, { invitationId }, delivery),
      [SCREENER_MAILS]: (mailId) => sendScreenerMail({ database, clock: systemClock }, { mailId }, delivery),
    });
    const { sources, search } = openData({ database, clock: systemClock, log, providers });
    await startScoutWorker({ database, clock: systemClock, sources, cursorKey: search.cursorKey, queue, log });
    await startScreenerRuns(screenerRunsOf(foundation, { providers, queue }), queue);
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
