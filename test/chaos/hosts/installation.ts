import { openDatabase } from '../../../src/platform/index.ts';
import { createSeededRandom } from '../../support/platform/seeded-random.ts';
import { createChaosAccount, type Installation } from '../installation.ts';
import type { ManagedProcess } from '../managed-process.ts';
import { FaultLog } from './fault-log.ts';
import { type FaultyLink, startFaultyLink } from './faulty-link.ts';
import { type FaultPlan, injectFaults } from './inject-faults.ts';
import { createNetwork, type Network } from './network.ts';
import { createPooler, POOLER_PORT } from './pooler.ts';
import { PostgresPair } from './postgres-pair.ts';
import { POSTGRES_PORT } from './postgres-server.ts';
import { Responses } from './responses.ts';
import { claimRunFolder } from './run-folder.ts';
import type { HostScene } from './scene.ts';
import { createServiceHost, type ServiceHost } from './service-host.ts';

/** Longer than the service lets any statement wait. */
const REQUEST_TIMEOUT_MS = 60_000;

interface PlannedHost {
  readonly name: string;
  readonly role: ManagedProcess['role'];
  /** Whether a proxy is between the host and the database. The others notice cut links themselves. */
  readonly isProxied: boolean;
}

const SERVICES: readonly PlannedHost[] = [
  { name: 'api-1', role: 'api', isProxied: true },
  { name: 'api-2', role: 'api', isProxied: false },
  { name: 'worker-1', role: 'worker', isProxied: true },
  { name: 'worker-2', role: 'worker', isProxied: false },
  { name: 'worker-3', role: 'worker', isProxied: false },
];

/** Two APIs, three workers, PgBouncer and a primary with a synchronous standby, each on a host of its own. */
export async function openHostsInstallation(seed: number, plan: FaultPlan): Promise<Installation> {
  const run = claimRunFolder();
  // Also after an error or a signal, when no disposal runs.
  process.on('exit', run.remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  const network = createNetwork(run);
  const databases = new PostgresPair(network, run);
  await databases.start();
  const pooler = createPooler(network.addHost('pooler'), network.fixedAddress, `${run.path}/pooler`);
  pooler.start();
  const directUrl = urlOf(network.fixedAddress, POSTGRES_PORT);
  const account = await createChaosAccount({ DATABASE_URL: directUrl, ALMANAC_DATA: run.path });
  const services = await Promise.all(
    SERVICES.map((planned, i) => openService(planned, network, run.path, pooler.host.address, seed + i)),
  );
  const scene: HostScene = { services, pooler, databases, responses: new Responses() };
  const log = new FaultLog();
  return {
    name: `${SERVICES.length} services, a pooler and two databases on hosts`,
    processes: services.map(({ process }) => process),
    account,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    onResponse: (record) => {
      const { host } = services.find(({ process }) => process.service === record.service) ?? {};
      // A process that was replaced since then was killed.
      scene.responses.add(record, host?.name ?? null);
    },
    async disturb(random, _activity, signal) {
      log.begin();
      await injectFaults(scene, log, random, plan, signal);
      return report(scene, log);
    },
    findViolations: () => findUnanswered(scene, log),
    openDatabase: () => openDatabase({ url: directUrl }),
    async [Symbol.asyncDispose]() {
      for (const { proxies } of services) for (const link of proxies) link.close();
      // Otherwise they would be started again when they end.
      await Promise.all([pooler.stop(), databases.stop()]);
      run.remove();
    },
  };
}

async function openService(
  { name, role, isProxied }: PlannedHost,
  network: Network,
  folder: string,
  poolerAddress: string,
  seed: number,
): Promise<ServiceHost> {
  const targets = [
    { host: poolerAddress, port: POOLER_PORT },
    { host: network.fixedAddress, port: POSTGRES_PORT },
  ];
  const random = createSeededRandom(seed);
  const proxies: FaultyLink[] = isProxied
    ? await Promise.all(targets.map((target) => startFaultyLink(network.ownAddress, target, random)))
    : [];
  const [pooled, direct] = targets.map(({ host, port }, i) =>
    urlOf(isProxied ? network.ownAddress : host, proxies[i]?.port ?? port),
  );
  const database = { DATABASE_URL: pooled ?? '', DATABASE_DIRECT_URL: direct ?? '' };
  return createServiceHost({ role, host: network.addHost(name), network, folder, proxies, database });
}

function urlOf(host: string, port: number): string {
  return `postgres://postgres@${host}:${port}/postgres`;
}

function report({ responses, services, databases }: HostScene, log: FaultLog): string[] {
  const failedStarts = services.reduce((sum, { process }) => sum + process.failedStarts, 0);
  const times = log.failovers.map((ms) => (ms / 1_000).toFixed(1)).join(', ');
  return [
    log.format(),
    `\nseconds from the failure of a primary to the next acknowledged write: ${times || 'no failover'}`,
    `longest time without an acknowledged write: ${(responses.longestPauseMs / 1_000).toFixed(1)} s`,
    `standbys built again because they could not catch up: ${databases.rebuilds}`,
    `failed starts, which were repeated: ${failedStarts}\n`,
    responses.format(),
    '',
  ];
}

/** Returns the requests without a response although their host could respond. */
function findUnanswered({ responses }: HostScene, log: FaultLog): string[] {
  return responses.unanswered
    .filter(({ host, startedAt, endedAt }) => !log.wasSilent(host, startedAt, endedAt))
    .map(({ host, method }) => `a ${method} request to ${host} had no response within ${REQUEST_TIMEOUT_MS / 1_000} s`);
}
