import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { ConfigError, settlesWithin } from '../../platform/index.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Resolves HOST to one address, even if the name has several. Fastify would open a server for each address, and would
 * not wait for the additional servers when it closes.
 */
export async function resolveAddress({ host, port }: Address): Promise<Address> {
  return { host: await resolveHost(host), port };
}

/** Returns an address of HOST. Throws if the name has none. */
export async function resolveHost(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch {
    throw new ConfigError(
      `HOST ${host} cannot be resolved to an address. Set HOST to an address or a name of this machine.`,
    );
  }
}

/** Throws if the port is taken. Call it before anything else is opened. */
export async function refuseTakenPort(address: Address): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once('error', reject).listen(address, resolve);
  await promise.catch((error) => explainRefusal(error, address));
  await new Promise((closed) => probe.close(closed));
}

/** Starts listening. Returns the origin of the server. */
export function listen(app: FastifyInstance, address: Address): Promise<string> {
  return app.listen(address).catch((error) => explainRefusal(error, address));
}

/** If the service waits longer than this for requests in flight, the wait is logged. */
const LOGGED_WAIT_MS = 200;

/** Waits for the requests in flight, and closes their connections after `timeoutMs` or when `hurry` is aborted. */
export async function closeApp(app: FastifyInstance, timeoutMs: number, hurry: AbortSignal): Promise<void> {
  const closed = app.close();
  if (await settlesWithin(closed, LOGGED_WAIT_MS, hurry)) return closed;
  // Idle connections are closed by now.
  const connections = await promisify(app.server.getConnections.bind(app.server))();
  app.log.info({ connections }, `waiting at most ${timeoutMs / 1000} s for requests in flight`);
  if (!(await settlesWithin(closed, timeoutMs - LOGGED_WAIT_MS, hurry))) {
    app.log.warn('requests are still in flight; cutting their connections');
    app.server.closeAllConnections();
  }
  await closed;
}

function explainRefusal(error: unknown, { host, port }: Address): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    throw new ConfigError(`PORT ${port} is taken. Stop the process that listens there or set another PORT.`);
  }
  if (code === 'EADDRNOTAVAIL') throw new ConfigError(`HOST ${host} is not an address of this machine.`);
  if (code === 'EACCES') throw new ConfigError(`PORT ${port} needs privileges. Set PORT to a number above 1023.`);
  throw error;
}
