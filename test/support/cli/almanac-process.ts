import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { NODE_FLAGS } from '../../../scripts/launch/node-binary.mjs';
import { runCommandLine } from '../../../src/cli/index.ts';
import { NO_PROVIDERS } from '../platform/test-config.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the service or of its command line, run by the Node of the test. */
export interface AlmanacProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when the process has ended and its output has been read. */
  readonly ended: Promise<Ending>;
}

const ROOT = join(import.meta.dirname, '../../..');

/** The variables that a process gets from this one. No others: a DATABASE_URL in the tester's shell must not reach a test. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE'];

export interface ProcessOptions {
  readonly nodeFlags?: readonly string[];
  readonly quiet?: boolean;
  /** The words before the command, such as those that enter a network namespace and then execute it. Default: none. */
  readonly prefix?: readonly string[];
  /** The content of standard input. Default: it is closed. */
  readonly input?: string | undefined;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts an entry (`src/main.ts`, `src/cli/almanac.ts`). It has a channel to this process, as under the launcher, and
 * therefore does not outlive it.
 */
export function spawnAlmanac(
  entry: string,
  args: readonly string[],
  environment: Environment,
  { nodeFlags = [], quiet = false, prefix = [], input }: ProcessOptions = {},
): AlmanacProcess {
  const command = [...prefix, process.execPath, ...NODE_FLAGS, ...nodeFlags, join(ROOT, entry), ...args];
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { ...inheritedVariables(), ...NO_PROVIDERS, ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', quiet ? 'ignore' : 'pipe', 'ipc'],
  });
  child.stdin?.end(input);
  return watchProcess(child);
}

/** Starts an entry on a pseudo-terminal of its own. Everything that it prints there is in `stdout`. */
export function spawnOnTerminal(entry: string, environment: Environment): AlmanacProcess {
  const command = [process.execPath, ...NODE_FLAGS, join(ROOT, entry)].join(' ');
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', `exec ${command}`, '/dev/null'], {
    env: { ...inheritedVariables(), ...NO_PROVIDERS, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return watchProcess(child);
}

function watchProcess(child: ChildProcess): AlmanacProcess {
  if (child.pid === undefined || !child.stdout) throw new Error(`${child.spawnfile} did not start`);
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // Not 'close', which is never emitted once this side has closed the channel.
  const read = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
  const ended = Promise.all([once(child, 'exit'), ...read]).then(([[code, signal]]): Ending => {
    running.delete(child);
    return { code, signal, stdout, stderr };
  });
  return { child, pid: child.pid, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs one command in a process of its own. Needed where the process is the subject; `callAlmanac` costs far less. */
export async function runAlmanac(args: readonly string[], environment: Environment, input?: string): Promise<Ending> {
  const { child, ended } = spawnAlmanac('src/cli/almanac.ts', args, environment, { input });
  const deadline = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const ending = await ended;
  clearTimeout(deadline);
  return ending;
}

/** Runs one command in this process, with an environment and streams of its own. @param columns the width of its terminal */
export async function callAlmanac(
  args: readonly string[],
  environment: Environment,
  input?: string | Uint8Array,
  columns?: number,
): Promise<Ending> {
  const [stdout, stderr] = [collect(), collect()];
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const code = await runCommandLine(args, {
    env: { ...NO_PROVIDERS, ...environment },
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: Object.assign(stdout.stream, terminal),
    stderr: stderr.stream,
  });
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

function collect() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

function inheritedVariables(): Record<string, string> {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
