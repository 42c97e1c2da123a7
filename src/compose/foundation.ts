import { type Licenses, licensesWithout } from '../access/index.ts';
import { checkpointFolders, type ModelCheckpoints, openModelCheckpoints } from '../compute/index.ts';
import type { EconomicAdapter } from '../datasets/index.ts';
import { listForecastBacklogs } from '../forecasts/index.ts';
import type { IdentityContext } from '../identity/index.ts';
import type { MarketProvider } from '../market/index.ts';
import {
  type Clock,
  type Config,
  type Database,
  DatabaseSetupError,
  fixedConfig,
  hasEmbeddedDatabase,
  hasObjects,
  type LiveConfig,
  type Log,
  listPendingMigrations,
  logStep,
  migrate,
  type ObjectStorageSettings,
  openDatabase,
  openS3Storage,
  readQueueDepths,
  systemClock,
  type Telemetry,
} from '../platform/index.ts';
import { countUnstamped, type StampPolicy } from '../provenance/index.ts';
import { createIdentityContext } from './domains.ts';
import { createEconomicAdapters } from './economic.ts';
import { MIGRATIONS } from './migrations.ts';
import { createProviders } from './providers.ts';
import { createStampPolicy } from './stamps.ts';
import { openWarehouse, type Warehouse } from './warehouse.ts';

/** How long the process waits at startup for the embedded database, which a command may have locked for a moment. */
const LOCK_WAIT_MS = 5_000;

/** The parts that commands, the API and the worker share. */
export interface Foundation {
  readonly config: Config;
  /** The settings with the secrets that their files have now. */
  readonly live: LiveConfig;
  readonly log: Log;
  readonly database: Database;
  readonly clock: Clock;
  /** Decides which licenses models and data may have. */
  readonly licenses: Licenses;
  readonly identity: IdentityContext;
  /** Shared by all parts of the process, so that a damaged checkpoint is checked and logged only once. */
  readonly checkpoints: ModelCheckpoints;
  /**
   * The configured providers of bars, which are preferred to the bundled data. Shared by all parts of the process, because
   * a provider learns from replies what its plan includes.
   */
  readonly providers: readonly MarketProvider[];
  /** The configured adapters of economic series. */
  readonly adapters: readonly EconomicAdapter[];
  /** The warehouse tables. Shared by all parts of the process, so that they share the process that reads local tables. */
  readonly warehouse: Warehouse;
  /** Decides which proofs are stamped. */
  readonly stamps: StampPolicy;
}

export type FoundationParts = Pick<Foundation, 'config' | 'log' | 'database'> &
  Partial<Pick<Foundation, 'clock' | 'live' | 'checkpoints' | 'providers' | 'adapters' | 'warehouse'>>;

export interface OpenFoundationOptions {
  /** Default: a second. */
  readonly lockWaitMs?: number;
  /** Set for a command that changes nothing: throws unless the database is there and has the tables of this build. */
  readonly asItIs?: boolean;
  /** Default: the settings do not change. */
  readonly live?: LiveConfig;
}

/** Opens the database, migrates it and builds a foundation on it. */
export async function openFoundation(
  config: Config,
  log: Log,
  { lockWaitMs = LOCK_WAIT_MS, asItIs = false, live = fixedConfig(config) }: OpenFoundationOptions = {},
): Promise<Foundation> {
  if (asItIs && config.databaseUrl === undefined && !hasEmbeddedDatabase(config.dataFolder)) {
    throw new DatabaseSetupError(`${config.dataFolder} has no database. Check ALMANAC_DATA, or set DATABASE_URL.`);
  }
  const database = await logStep(log, 'opening the database', () =>
    openDatabase({
      ...(config.databaseUrl
        ? {
            url: config.databaseUrl,
            directUrl: config.databaseDirectUrl,
            ...(hasDatabaseFile(config) && { currentUrl: currentUrlOf(config, live) }),
          }
        : { folder: config.dataFolder }),
      poolSize: config.databasePool,
      lockWaitMs,
      minFreeMib: config.minFreeMib,
      objects:
        config.objectStorage &&
        openS3Storage(config.objectStorage, { log, accessKey: accessKeyOf(config.objectStorage, live) }),
      log,
    }),
  );
  try {
    if (asItIs) await requireTablesOfBuild(database);
    else await logStep(log, 'migrating the database', () => migrate(database, MIGRATIONS, { log }));
    if (database.objects === null && (await hasObjects(database))) {
      log.warn(
        'snapshots or files are in an object storage and cannot be read: set ALMANAC_S3_ENDPOINT and the settings below it',
      );
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return createFoundation({ config, live, log, database });
}

function hasDatabaseFile({ secretFiles }: Config): boolean {
  return secretFiles.some(({ name }) => name.startsWith('DATABASE_'));
}

/** Returns the function that returns a URL with the password of now. */
function currentUrlOf({ databaseDirectUrl }: Config, live: LiveConfig): (url: string) => string {
  return (url) => live.readDatabaseUrl(url === databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL') ?? url;
}

function accessKeyOf(settings: ObjectStorageSettings, live: LiveConfig): () => ObjectStorageSettings {
  return () => live.current().objectStorage ?? settings;
}

async function requireTablesOfBuild(database: Database): Promise<void> {
  const { pending, isEmpty } = await listPendingMigrations(database, MIGRATIONS);
  if (isEmpty) {
    throw new DatabaseSetupError('The database has no tables of Almanac. Check DATABASE_URL and ALMANAC_DATA.');
  }
  if (pending.length > 0) {
    throw new DatabaseSetupError(
      `The database is that of an earlier build. These migrations have not run: ${pending.join(', ')}. Use the earlier build, or run: almanac migrate`,
    );
  }
}

/** Builds a foundation on a migrated database. All other parts of the service use its clock. */
export function createFoundation({
  config,
  live = fixedConfig(config),
  log,
  database,
  clock = systemClock,
  checkpoints = openCheckpoints(config, log),
  providers = createProviders({ config, live, clock, database, log }),
  adapters = createEconomicAdapters(config, live),
  warehouse = openWarehouse({ config, database, clock, log }),
}: FoundationParts): Foundation {
  const licenses = licensesWithout(config.deniedLicenses);
  const identity = createIdentityContext({ database, clock });
  const stamps = createStampPolicy(config);
  return {
    config,
    live,
    log,
    database,
    clock,
    licenses,
    identity,
    checkpoints,
    providers,
    adapters,
    warehouse,
    stamps,
  };
}

export function openCheckpoints({ dataFolder, totoCheckpoint }: Config, log: Log): ModelCheckpoints {
  return openModelCheckpoints(checkpointFolders(dataFolder), { toto: totoCheckpoint, log });
}

/** Adds the depths of the queues, the proofs that wait to be stamped and the use of database connections to the metrics page. */
export function exposeMetrics({ database }: Pick<Foundation, 'database'>, telemetry: Telemetry): void {
  telemetry.exposeMetrics({
    queues: () => readQueueDepths(database),
    forecasts: () => listForecastBacklogs(database),
    proofs: () => countUnstamped(database),
    connections: () => database.connections(),
  });
}
