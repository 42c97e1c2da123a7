import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from '../../platform/index.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * One address, also for a name that has several: Fastify would serve the others by servers of their own, which a stop
 * does not wait for.
 */
export async function addressOf({ host, port }: Config): Promise<Address> {
  try {
    return { host: (await lookup(host)).address, port };
  } catch {
    throw new ConfigError(`HOST ${host} is not an address of this machine.`);
  }
}

/** Says at once that nobody could listen, without having opened anything else. */
export async function refuseTakenPort(address: Address): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once('error', reject).listen(address, resolve);
  await promise.catch((error) => explainRefusal(error, address));
  await new Promise((closed) => probe.close(closed));
}

/** Listens, and says under which origin. */
export function listen(app: FastifyInstance, address: Address): Promise<string> {
  return app.listen(address).catch((error) => explainRefusal(error, address));
}

/** Answers the requests in flight, but cuts off what has not ended after `patienceMs`. */
export async function closeApp(app: FastifyInstance, patienceMs: number): Promise<void> {
  const cut = setTimeout(() => {
    app.log.warn('requests are still in flight; cutting their connections');
    app.server.closeAllConnections();
  }, patienceMs);
  await app.close();
  clearTimeout(cut);
}

function explainRefusal(error: unknown, { host, port }: Address): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') throw new ConfigError(`PORT ${port} is taken. Stop what listens there or set PORT.`);
  if (code === 'EADDRNOTAVAIL') throw new ConfigError(`HOST ${host} is not an address of this machine.`);
  if (code === 'EACCES') throw new ConfigError(`PORT ${port} needs more rights. Set PORT to one above 1023.`);
  throw error;
}
