import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { preparedFolder, type Service, startService, temporaryFolder } from '../../test/support/cli/service.ts';
import { copyOfPostgresTemplate } from '../../test/support/platform/postgres-template.ts';
import { type Recording, recordRequests } from './capture.ts';
import { type Cost, MeasuredServer, PATH, type Size } from './measured-server.ts';
import type { PeerInstructions } from './peer.ts';
import { median } from './statistics.ts';

export interface Comparison {
  readonly database: 'PGlite' | 'PostgreSQL';
  readonly statements: number;
  readonly almanac: Cost;
  readonly raw: Cost;
  /** The CPU time of a request divided by that of the peer in the same round; the median over the rounds. */
  readonly ratio: number;
}

const POOL_SIZE = 10;

/** The settings of production, except for rate limits that are too high to matter. */
const ENVIRONMENT = { ALMANAC_RATE_PRO: '1000000', ALMANAC_DATABASE_POOL: String(POOL_SIZE) };

export async function compareOnPglite(size: Size): Promise<Comparison> {
  await using folder = await preparedFolder();
  await using peerFolder = temporary();
  // A first start creates the account and the key. The database files are copied while no process has them open.
  const { key } = await startAndStop({ data: folder.data });
  const environment = { ...ENVIRONMENT, ALMANAC_DATA: folder.data };
  const recording = await recordRequests(environment, PATH, key);
  const files = join(peerFolder.data, 'files');
  cpSync(join(folder.data, 'database'), files, { recursive: true });
  await using service = await startService({ data: folder.data, environment: ENVIRONMENT, quiet: true });
  return await compare('PGlite', service, recording, { recording, database: { files }, poolSize: 1 }, size);
}

export async function compareOnPostgres(server: string, size: Size): Promise<Comparison> {
  const copy = await copyOfPostgresTemplate(server, { migrations: MIGRATIONS, queue: true });
  const url = copy.location.url ?? '';
  try {
    const { key } = await startAndStop({ databaseUrl: url });
    const recording = await recordRequests({ ...ENVIRONMENT, DATABASE_URL: url }, PATH, key);
    await using service = await startService({ databaseUrl: url, environment: ENVIRONMENT, quiet: true });
    const instructions = { recording, database: { url }, poolSize: POOL_SIZE };
    return await compare('PostgreSQL', service, recording, instructions, size, key);
  } finally {
    await copy.remove();
  }
}

function temporary(): { readonly data: string } & AsyncDisposable {
  const data = temporaryFolder();
  return { data, [Symbol.asyncDispose]: async () => rmSync(data, { recursive: true, force: true }) };
}

async function startAndStop(options: Parameters<typeof startService>[0]): Promise<{ key: string }> {
  await using service = await startService(options);
  return { key: service.key };
}

async function compare(
  database: Comparison['database'],
  service: Service,
  recording: Recording,
  instructions: PeerInstructions,
  size: Size,
  key = service.key,
): Promise<Comparison> {
  const peer = await startPeer(instructions);
  try {
    const bodyBytes = Buffer.byteLength(recording.body);
    const almanac = new MeasuredServer(service.pid, service.port, key, bodyBytes, size);
    const raw = new MeasuredServer(peer.pid, peer.port, key, bodyBytes, size);
    for (let round = -1; round < size.rounds; round += 1) {
      for (const side of round % 2 === 0 ? [almanac, raw] : [raw, almanac]) await side.round(round >= 0);
    }
    return {
      database,
      statements: recording.requests.flat().length / recording.requests.length,
      almanac: almanac.cost(),
      raw: raw.cost(),
      ratio: median(almanac.cpu.map((micros, round) => micros / (raw.cpu[round] ?? 0))),
    };
  } finally {
    peer.child.disconnect();
  }
}

async function startPeer(instructions: PeerInstructions): Promise<{ child: ChildProcess; pid: number; port: number }> {
  const child = fork(join(import.meta.dirname, 'peer.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced', // parameters hold dates
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(instructions);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the peer did not start')));
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  return { child, pid: child.pid ?? 0, port };
}
