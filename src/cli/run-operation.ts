import { type Config, DatabaseInUseError } from '../platform/index.ts';
import type { AdminOperationName } from './operations/index.ts';

/** How long a command waits for a service that is starting or stopping. */
const PATIENCE_MS = 15_000;

/** Runs a change on either database: beside a running service, or alone. */
export async function runOperation(config: Config, name: AdminOperationName, input: object): Promise<object> {
  if (config.databaseUrl !== undefined) return alone(config, name, input);
  const { askRunningService } = await import('./control/client.ts');
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const result = await askRunningService(config.dataFolder, name, input);
    if (result) return result;
    try {
      return await alone(config, name, input);
    } catch (error) {
      // A service has the folder but no socket: it is starting or stopping.
      if (!(error instanceof DatabaseInUseError) || performance.now() > deadline) throw error;
    }
  }
}

/** Loaded only now: who asks for help, or a service that runs, should not wait until another one is loaded. */
async function alone(config: Config, name: AdminOperationName, input: object): Promise<object> {
  const { runHere } = await import('./run-here.ts');
  return runHere(config, name, input);
}
