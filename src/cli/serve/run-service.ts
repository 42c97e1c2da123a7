import type { Foundation } from '../../compose/index.ts';
import {
  type Config,
  ConfigError,
  createLog,
  DatabaseInUseError,
  findUnknownSettings,
  type Log,
  logDuration,
  logStep,
  startTelemetry,
  watchSecretFiles,
} from '../../platform/index.ts';
import { findRunningService, openControlSocket } from '../control-socket.ts';
import { executeOperation } from '../run-operation.ts';
import { formatAnnouncement } from './announcement.ts';
import { closeApp, listen, refuseTakenPort, resolveAddress } from './listen.ts';
import { protectReports } from './protect-reports.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { createWatchdog } from './watchdog.ts';

/** Runs the API and a worker in this process until it is stopped. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  protectReports(log);
  for (const name of findUnknownSettings(process.env)) log.warn(`${name} is not a setting; see docs/configuration.md`);
  // When the service stops, requests get the first half of the time to finish and jobs get the second.
  const timeoutMs = config.shutdownSeconds * 500;

  await runUntilStopped(config, log, async (open, hurry) => {
    // Problems that can be detected without the database are reported before anything is created.
    const address = await resolveAddress(config);
    await refuseTakenPort(address);
    await refuseTakenFolder(config);

    // The first to be opened and the last to be closed, so that a shutdown that is stuck ends as well.
    const watchdog = createWatchdog(config.stuckSeconds);
    open.defer(() => watchdog.stop());
    // Loaded after the checks, so that the process ends fast if a check fails.
    const { buildApi, startWorker } = await loadModules(log);
    const foundation = await openParts(config, log, open);
    const key = await logStep(log, 'creating the API key', () => demonstrationKey(foundation));
    let siteUrl = config.siteUrl ?? '';
    const worker = await logStep(log, 'opening the queues', () => startWorker(foundation, { siteUrl: () => siteUrl }));
    open.defer(() => worker.stop({ timeoutMs, hurry }));
    const app = await logStep(log, 'building the API', () =>
      buildApi(foundation, { siteUrl: () => siteUrl, queue: worker.queue }),
    );
    open.defer(() => closeApp(app, timeoutMs, hurry));
    const origin = await listen(app, address);
    siteUrl ||= origin;
    // Opened last and closed first, so that a command that finds the socket finds a service that is fully running.
    if (config.databaseUrl === undefined) {
      const control = await openControlSocket({
        dataFolder: config.dataFolder,
        url: origin,
        execute: (operation, input) => executeOperation(foundation, operation, input),
        onError: (error) => log.error({ err: error }, 'an operation of the command line failed'),
      });
      open.defer(() => control.close());
    }
    watchdog.start();
    process.stdout.write(formatAnnouncement(siteUrl, key, foundation));
  });
}

/** Runs a worker without the API until it is stopped. */
export async function runWorker(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL must be set for a separate worker: one process holds the embedded database, and it has a worker.',
    );
  }
  const log = createLog(config.logLevel);
  protectReports(log);
  await runUntilStopped(config, log, async (open, hurry) => {
    const watchdog = createWatchdog(config.stuckSeconds);
    open.defer(() => watchdog.stop());
    const { startWorker } = await loadModules(log);
    const foundation = await openParts(config, log, open);
    const worker = await logStep(log, 'opening the queues', () => startWorker(foundation));
    open.defer(() => worker.stop({ timeoutMs: config.shutdownSeconds * 1000, hurry }));
    watchdog.start();
    log.info('worker ready');
  });
}

function loadModules(log: Log): Promise<typeof import('../../compose/index.ts')> {
  logDuration(log, 'starting the process', process.uptime() * 1000);
  return logStep(log, 'loading the modules', () => import('../../compose/index.ts'));
}

/** Returns the key of the demonstration account, or null for a public service, which has no such account. */
async function demonstrationKey(foundation: Foundation): Promise<string | null> {
  const { ensureDemonstrationKey, reportRefusedAccount } = await import('./demonstration-account.ts');
  if (foundation.config.loopback) return ensureDemonstrationKey(foundation);
  await reportRefusedAccount(foundation);
  return null;
}

async function openParts(config: Config, log: Log, open: AsyncDisposableStack): Promise<Foundation> {
  const { exposeMetrics, openFoundation } = await import('../../compose/index.ts');
  const telemetry = await startTelemetry(config, log);
  open.defer(() => telemetry.stop());
  const live = watchSecretFiles(process.env, config, log);
  open.defer(() => live.close());
  const foundation = await openFoundation(config, log, { live });
  open.defer(() => foundation.database.close());
  open.defer(() => foundation.warehouse.close());
  await foundation.warehouse.removeOldFiles();
  exposeMetrics(foundation, telemetry);
  return foundation;
}

/**
 * Throws if a running service has locked the data folder. Otherwise opening the database would first wait for the lock.
 * Waiting makes sense only if a command holds the lock, because a command soon releases it.
 */
async function refuseTakenFolder(config: Config): Promise<void> {
  const holder = config.databaseUrl === undefined ? await findRunningService(config.dataFolder) : null;
  if (holder) throw new DatabaseInUseError(config.dataFolder, holder.pid);
}
