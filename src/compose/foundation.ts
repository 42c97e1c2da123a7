import { checkpointFolders, type ModelCheckpoints, openModelCheckpoints } from '../compute/index.ts';
import type { IdentityContext } from '../identity/index.ts';
import {
  type Config,
  type Database,
  type Log,
  migrate,
  openDatabase,
  readQueueDepths,
  type Telemetry,
} from '../platform/index.ts';
import { identityOf } from './domains.ts';
import { MIGRATIONS } from './migrations.ts';

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

/** Lets the metrics page say how full queues are and how busy the database is kept. */
export function tellOf({ database }: Foundation, telemetry: Telemetry): void {
  telemetry.read({ queues: () => readQueueDepths(database), connections: () => database.connections() });
}

export function checkpointsOf({ dataFolder, totoCheckpoint }: Config, log: Log): ModelCheckpoints {
  return openModelCheckpoints(checkpointFolders(dataFolder), { toto: totoCheckpoint, log });
}
