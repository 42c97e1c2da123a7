import { buildApi, openFoundation, startWorker, tellOf } from '../../compose/index.ts';
import { type Config, createLog, DatabaseInUseError, startTelemetry, unknownSettings } from '../../platform/index.ts';
import { runningService } from '../control/client.ts';
import { openControlSocket } from '../control/server.ts';
import { announce } from './announce.ts';
import { demonstrationKey } from './demonstration-account.ts';
import { addressOf, closeApp, listen, refuseTakenPort } from './listen.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** Runs API and worker in this process until it is told to stop. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  for (const name of unknownSettings(process.env)) log.warn(`${name} is not a setting; see docs/configuration.md`);
  // Requests have the first half of the time that a stop takes, jobs the second.
  const patienceMs = config.shutdownSeconds * 500;

  await runUntilStopped(config, log, async (open) => {
    // What would fail after the database is open is refused before anything is made.
    const address = await addressOf(config);
    await refuseTakenPort(address);
    await refuseTakenFolder(config);

    const telemetry = await startTelemetry(config, log);
    open.defer(() => telemetry.stop());
    const foundation = await openFoundation(config, log);
    open.defer(() => foundation.database.close());
    tellOf(foundation, telemetry);
    const key = config.loopback ? await demonstrationKey(foundation) : null;
    let siteUrl = config.siteUrl ?? '';
    const worker = await startWorker(foundation, { siteUrl: () => siteUrl });
    open.defer(() => worker.stop({ timeoutMs: patienceMs }));
    const app = await buildApi(foundation, { siteUrl: () => siteUrl, queue: worker.queue });
    open.defer(() => closeApp(app, patienceMs));
    const listening = await listen(app, address);
    siteUrl ||= listening;
    // Last, so that it closes first: who finds it can count on a service that is up.
    if (config.databaseUrl === undefined) {
      const control = await openControlSocket(foundation);
      open.defer(() => control.close());
    }
    announce(siteUrl, key);
  });
}

/** Opening waits a while for the folder, because a command may have it for a moment. A service will not let it go. */
async function refuseTakenFolder(config: Config): Promise<void> {
  const holder = config.databaseUrl === undefined ? await runningService(config.dataFolder) : null;
  if (holder) throw new DatabaseInUseError(config.dataFolder, holder.pid);
}
