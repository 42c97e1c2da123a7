import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../support/cli/almanac-process.ts';
import { startService } from '../../support/cli/service.ts';
import { ManagedProcess, type RunningProcess } from '../managed-process.ts';
import { startWorkerProcess } from '../worker-process.ts';
import { createSkewedClock, type SkewedClock } from './clock.ts';
import { type Disk, mountDisk } from './disk.ts';
import type { FaultyLink } from './faulty-link.ts';
import type { Host, Network } from './network.ts';

/** An API or a worker on a host of its own. */
export interface ServiceHost {
  readonly host: Host;
  readonly process: ManagedProcess;
  readonly clock: SkewedClock;
  readonly disk: Disk;
  /** The proxies between the host and the pooler or database; none: it is connected directly. */
  readonly proxies: readonly FaultyLink[];
}

export interface ServiceHostOptions {
  readonly role: ManagedProcess['role'];
  readonly host: Host;
  readonly network: Network;
  /** The folder of the run. */
  readonly folder: string;
  readonly proxies: readonly FaultyLink[];
  /** The addresses of the database. */
  readonly database: Environment;
}

const PORT = 8080;
const DISK_MIB = 32;
/** A start fails while its host is cut off or the database fails over. */
const MAX_STARTS = 300;

const ENVIRONMENT: Environment = {
  ALMANAC_RATE_ENTERPRISE: '1000000',
  ALMANAC_DATABASE_POOL: '5',
  ALMANAC_LOG_LEVEL: 'warn',
};

export function createServiceHost({ role, host, network, folder, proxies, database }: ServiceHostOptions): ServiceHost {
  const own = join(folder, host.name);
  mkdirSync(own);
  const clock = createSkewedClock(join(own, 'clock'));
  const disk = mountDisk(join(own, 'data'), DISK_MIB);
  const environment = { ...ENVIRONMENT, ...database, ...clock.environment, ALMANAC_DATA: disk.path };
  const { prefix } = host;
  const start = () =>
    role === 'api'
      ? startApi(host, network, environment)
      : startWorkerProcess({ ...environment, ALMANAC_LOG_LEVEL: 'info' }, { prefix });
  return { host, process: new ManagedProcess(role, start, MAX_STARTS), clock, disk, proxies };
}

/** This process is the proxy that terminates TLS, as a service on another address than loopback requires. */
async function startApi(host: Host, network: Network, environment: Environment): Promise<RunningProcess> {
  const service = await startService({
    data: environment.ALMANAC_DATA ?? '',
    prefix: host.prefix,
    environment: {
      ...environment,
      HOST: host.address,
      PORT: String(PORT),
      SITE_URL: 'https://almanac.example',
      ALMANAC_TRUSTED_PROXIES: network.ownAddress,
    },
  });
  const { ended, stderr, kill9, stop } = service;
  const fetchFromHost: typeof service.fetch = (path, { key, ...init } = {}) =>
    fetch(`http://${host.address}:${PORT}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-proto': 'https', ...init.headers },
    });
  return { service: { fetch: fetchFromHost }, ended, stderr, kill9, stop };
}
