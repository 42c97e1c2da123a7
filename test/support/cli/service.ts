import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { copyOfPgliteTemplate } from '../platform/pglite-template.ts';
import { copyOfPostgresTemplate } from '../platform/postgres-template.ts';
import { type AlmanacProcess, type Ending, type Environment, spawnAlmanac } from './almanac-process.ts';

export interface ServiceOptions {
  /** The data folder, which stays. Default: a temporary one, which is removed with the service. */
  readonly data?: string;
  readonly databaseUrl?: string;
  readonly environment?: Environment;
  readonly nodeFlags?: readonly string[];
  /** The words before the command of the service. */
  readonly prefix?: readonly string[];
  /** Discard the log instead of collecting it. */
  readonly quiet?: boolean;
}

/** The real service in its own process, ready for requests. Disposal stops it. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The API key that the service printed; empty if it printed none. */
  readonly key: string;
  readonly pid: number;
  /** Its settings, for commands on the same database. */
  readonly environment: Environment;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends a request with the printed key, or with another one. */
  fetch(path: string, init?: RequestInit & { key?: string }): Promise<Response>;
  signal(signal: NodeJS.Signals): void;
  /** Closes the channel that a launcher would hold. */
  disconnect(): void;
  readonly ended: Promise<Ending>;
  stop(): Promise<Ending>;
  kill9(): Promise<Ending>;
}

/** Longer than a start takes on a busy machine. */
const START_MS = 100_000;
const STOP_MS = 40_000;

/** Starts `src/main.ts` on a free port and waits until it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const data = options.data ?? temporaryFolder();
  const environment: Environment = {
    PORT: '0',
    ALMANAC_DATA: data,
    ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
    ...options.environment,
  };
  const started = spawnAlmanac('src/main.ts', [], environment, options);
  const cleanUp = () => {
    if (options.data === undefined) rmSync(data, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(started);
  } catch (error) {
    started.child.kill('SIGKILL');
    await started.ended;
    cleanUp();
    throw error;
  }
  return toService(started, environment, cleanUp);
}

async function waitUntilReady({ stdout, stderr, ended }: AlmanacProcess): Promise<void> {
  let ending: Ending | undefined;
  void ended.then((reached) => {
    ending = reached;
  });
  const deadline = performance.now() + START_MS;
  // The announcement is one write, but it may arrive in several chunks.
  while (
    !/^Almanac is ready at .*\n(The words of .*\n)?(The tables in .*\n)?(The content ids of .*\n)?(API key: .*\n.*\ncurl .*\n)?$/.test(
      stdout(),
    )
  ) {
    if (ending) throw new Error(`the service ended with ${ending.code ?? ending.signal}: ${stderr()}`);
    if (performance.now() > deadline) throw new Error(`the service was not ready in time: ${stdout()}${stderr()}`);
    await sleep(5);
  }
}

function toService(started: AlmanacProcess, environment: Environment, cleanUp: () => void): Service {
  const { child, pid, stdout, stderr, ended } = started;
  const url = /^Almanac is ready at (\S+)/.exec(stdout())?.[1] ?? '';
  const key = /^API key: (\S+)$/m.exec(stdout())?.[1] ?? '';
  const stop = async (): Promise<Ending> => {
    child.kill('SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const ending = await ended;
    clearTimeout(deadline);
    return ending;
  };
  return {
    url,
    port: Number(new URL(url).port),
    key,
    pid,
    environment,
    stdout,
    stderr,
    ended,
    fetch: (path, { key: usedKey = key, ...init } = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${usedKey}`, ...init.headers } }),
    signal: (signal) => child.kill(signal),
    disconnect: () => child.disconnect(),
    stop,
    kill9: () => {
      child.kill('SIGKILL');
      return ended;
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      removeSocket(environment.ALMANAC_DATA ?? '');
      cleanUp();
    },
  };
}

/** Removes the socket that a killed service leaves behind; the next start on the folder would do the same. */
function removeSocket(data: string): void {
  const record = join(data, 'control.json');
  if (!existsSync(record)) return;
  const { socket } = JSON.parse(readFileSync(record, 'utf8')) as { socket: string };
  rmSync(dirname(socket), { recursive: true, force: true });
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'almanac-service-test-'));
}

export interface PreparedFolder extends AsyncDisposable {
  readonly data: string;
}

/** Prepares a data folder with a migrated database, so that a start takes one second instead of five. */
export async function preparedFolder(): Promise<PreparedFolder> {
  const copy = await copyOfPgliteTemplate({ migrations: MIGRATIONS, queue: true });
  return { data: copy.location.folder ?? '', [Symbol.asyncDispose]: copy.remove };
}

/** Creates an empty database on the server of TEST_DATABASE_URL. */
export async function emptyPostgres(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set');
  const copy = await copyOfPostgresTemplate(server, { migrations: [], queue: false });
  return { url: copy.location.directUrl ?? copy.location.url ?? '', [Symbol.asyncDispose]: copy.remove };
}
