import type { FastifyInstance } from 'fastify';
import { buildApi, openFoundation, startWorker } from '../../compose.ts';
import { type Config, ConfigError, createLog, unknownSettings } from '../../platform/index.ts';
import { openControlSocket } from '../control/server.ts';
import { announce } from './announce.ts';
import { demonstrationKey } from './demonstration-account.ts';
import { stopOrder, stopWithin } from './stop-order.ts';

/** Runs API and worker in this process until it is told to stop. */
export async function runService(config: Config): Promise<void> {
  const ordered = stopOrder();
  const log = createLog(config.logLevel);
  for (const name of unknownSettings(process.env)) log.warn(`${name} is not a setting; see docs/configuration.md`);

  // Whatever was opened is closed in reverse order, after a failed start as after a stop.
  await using open = new AsyncDisposableStack();
  const foundation = await openFoundation(config, log);
  open.defer(() => foundation.database.close());
  const key = config.loopback ? await demonstrationKey(foundation) : null;
  const control = await openControlSocket(foundation);
  open.defer(() => control.close());
  const worker = await startWorker(foundation);
  open.defer(() => worker.stop({ timeoutMs: config.shutdownSeconds * 500 }));
  let siteUrl = config.siteUrl ?? '';
  const app = await buildApi(foundation, () => siteUrl);
  open.defer(() => app.close());
  const listening = await listen(app, config);
  siteUrl ||= listening;

  announce(siteUrl, key);
  const reason = await ordered;
  const rest = open.move();
  await stopWithin(config.shutdownSeconds, log, reason, () => rest.disposeAsync());
}

/** Listens, and says at which address. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT ${port} is taken. Stop what listens there or set PORT.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST ${host} is not an address of this machine.`);
    if (code === 'EACCES') throw new ConfigError(`PORT ${port} needs more rights. Set PORT to one above 1023.`);
    throw error;
  }
}
