import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string>>;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the service or its command line, run by the Node that runs the test. */
export interface AlmanacProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when the process ended and all that it wrote was read. */
  readonly ended: Promise<Ending>;
}

const ROOT = join(import.meta.dirname, '../../..');

/** What a process needs of ours. Nothing else: a DATABASE_URL in the tester's shell must not reach a test. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE'];

export interface ProcessOptions {
  readonly nodeFlags?: readonly string[];
  readonly quiet?: boolean;
  /** What standard input has; absent: it is closed. */
  readonly input?: string | undefined;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts an entry (`src/main.ts`, `src/cli/almanac.ts`). It has a channel to this process, as under the launcher, and
 * so does not outlive it, however this process ends.
 */
export function spawnAlmanac(
  entry: string,
  args: readonly string[],
  environment: Environment,
  { nodeFlags = [], quiet = false, input }: ProcessOptions = {},
): AlmanacProcess {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...nodeFlags, join(ROOT, entry), ...args],
    {
      env: { ...inherited(), ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', quiet ? 'ignore' : 'pipe', 'ipc'],
    },
  );
  child.stdin?.end(input);
  if (child.pid === undefined || !child.stdout) throw new Error(`${process.execPath} did not start`);
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // Not 'close', which never comes once the channel was closed on our side.
  const read = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
  const ended = Promise.all([once(child, 'exit'), ...read]).then(([[code, signal]]): Ending => {
    running.delete(child);
    return { code, signal, stdout, stderr };
  });
  return { child, pid: child.pid, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs one command of the command line to its end. */
export async function runAlmanac(args: readonly string[], environment: Environment, input?: string): Promise<Ending> {
  const { child, ended } = spawnAlmanac('src/cli/almanac.ts', args, environment, { input });
  const deadline = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const ending = await ended;
  clearTimeout(deadline);
  return ending;
}

function inherited(): Record<string, string> {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
