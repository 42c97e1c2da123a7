import { openFoundation } from '../compose.ts';
import { type Config, createLog, DatabaseInUseError } from '../platform/index.ts';
import { askRunningService } from './control/client.ts';
import { type AdminOperationName, runAdminOperation } from './operations/index.ts';

/** Runs a change on either database: beside a running service, or alone. */
export async function runOperation(config: Config, name: AdminOperationName, input: object): Promise<object> {
  if (config.databaseUrl === undefined) {
    const result = await askRunningService(config.dataFolder, name, input);
    if (result) return result;
  }
  try {
    return await runHere(config, name, input);
  } catch (error) {
    // A service that was starting when we first asked has the folder now, and a socket.
    const result = error instanceof DatabaseInUseError ? await askRunningService(config.dataFolder, name, input) : null;
    if (result) return result;
    throw error;
  }
}

async function runHere(config: Config, name: AdminOperationName, input: object): Promise<object> {
  const foundation = await openFoundation(config, createLog(config.logLevel === 'info' ? 'warn' : config.logLevel));
  try {
    return await runAdminOperation(foundation, name, input);
  } finally {
    await foundation.database.close();
  }
}
