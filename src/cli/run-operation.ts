import { openFoundation } from '../compose/index.ts';
import { type Config, createLog, DatabaseInUseError } from '../platform/index.ts';
import { askRunningService } from './control/client.ts';
import { type AdminOperationName, checkAdminInput, runAdminOperation } from './operations/index.ts';

/** How long a command waits for a service that is starting or stopping. */
const PATIENCE_MS = 15_000;
const LOCK_WAIT_MS = 250;

/** Runs a change on either database: beside a running service, or alone. */
export async function runOperation(config: Config, name: AdminOperationName, input: object): Promise<object> {
  // Before anything is opened, or made.
  checkAdminInput(name, input);
  if (config.databaseUrl !== undefined) return runHere(config, name, input);
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const result = await askRunningService(config.dataFolder, name, input);
    if (result) return result;
    try {
      return await runHere(config, name, input);
    } catch (error) {
      // A service has the folder but no socket: it is starting or stopping.
      if (!(error instanceof DatabaseInUseError) || performance.now() > deadline) throw error;
    }
  }
}

async function runHere(config: Config, name: AdminOperationName, input: object): Promise<object> {
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const foundation = await openFoundation(config, log, LOCK_WAIT_MS);
  try {
    return await runAdminOperation(foundation, name, input);
  } finally {
    await foundation.database.close();
  }
}
