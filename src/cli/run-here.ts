import { openFoundation } from '../compose/index.ts';
import { type Config, createLog } from '../platform/index.ts';
import { type AdminOperationName, checkAdminInput, runAdminOperation } from './operations/index.ts';

const LOCK_WAIT_MS = 250;

/** Runs a change on the database, with nobody in between. */
export async function runHere(config: Config, name: AdminOperationName, input: object): Promise<object> {
  // Before anything is opened, or made.
  checkAdminInput(name, input);
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const foundation = await openFoundation(config, log, LOCK_WAIT_MS);
  try {
    return await runAdminOperation(foundation, name, input);
  } finally {
    await foundation.database.close();
  }
}
