import { openFoundation, startWorker, tellOf } from '../../compose/index.ts';
import { type Config, ConfigError, createLog, startTelemetry } from '../../platform/index.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** Runs a worker until it is told to stop. */
export async function runWorker(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL must be set for a worker of its own: the embedded database belongs to one process, which has a worker already.',
    );
  }
  const log = createLog(config.logLevel);
  await runUntilStopped(config, log, async (open) => {
    const telemetry = await startTelemetry(config, log);
    open.defer(() => telemetry.stop());
    const foundation = await openFoundation(config, log);
    open.defer(() => foundation.database.close());
    tellOf(foundation, telemetry);
    const worker = await startWorker(foundation);
    open.defer(() => worker.stop({ timeoutMs: config.shutdownSeconds * 1000 }));
    log.info('worker ready');
  });
}
