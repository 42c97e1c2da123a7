import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What belongs to one run: everything that it makes has its number in its name, or is in its folder. */
export interface RunFolder {
  /** From 1 to 250, the third part of the addresses of its hosts. Runs side by side have different ones. */
  readonly number: number;
  readonly path: string;
  /** Ends the processes on its hosts, and removes the hosts, their disks and the folder. */
  remove(): void;
}

const PREFIX = 'almanac-chaos-hosts.';
const MAX_NUMBER = 250;
const NAMESPACES = '/run/netns';
/** A folder without an owner is one whose run begins at this moment. */
const BEGIN_MS = 60_000;

export const bridgeName = (run: number): string => `almchaos${run}`;
export const linkName = (run: number, host: number): string => `almch${run}-${host}`;
export const namespaceName = (run: number, host: string): string => `almanac-chaos-${run}-${host}`;

/** Removes what killed runs left behind, and claims a free number. */
export function claimRunFolder(): RunFolder {
  removeLeftovers();
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const path = join(tmpdir(), PREFIX + number);
    try {
      mkdirSync(path, { mode: 0o755 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    writeFileSync(join(path, 'owner'), identityOf(process.pid) ?? '');
    return { number, path, remove: () => removeRun(number, path) };
  }
  throw new Error(`${MAX_NUMBER} runs of the chaos with hosts are active. Wait for one to end.`);
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const number = Number(name.slice(PREFIX.length));
    if (!Number.isInteger(number) || hasOwner(path)) continue;
    console.log(`removing the leftovers of an earlier run in ${path}`);
    removeRun(number, path);
  }
}

function hasOwner(path: string): boolean {
  const file = join(path, 'owner');
  if (!existsSync(file)) return Date.now() - statSync(path).mtimeMs < BEGIN_MS;
  const owner = readFileSync(file, 'utf8');
  return identityOf(Number.parseInt(owner, 10)) === owner;
}

/** Returns a process id with its start time, because ids are used again; null: there is no such process. */
function identityOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, can contain spaces. The start time is the 20th field after it.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}

/** Synchronous, because it also runs while the process exits. */
function removeRun(number: number, path: string): void {
  const namespaces = list(NAMESPACES).filter((name) => name.startsWith(namespaceName(number, '')));
  for (const name of namespaces) {
    endProcesses(name);
    attempt('ip', 'netns', 'delete', name);
  }
  const links = list('/sys/class/net');
  for (const link of links.filter((one) => one === bridgeName(number) || one.startsWith(`almch${number}-`)))
    attempt('ip', 'link', 'delete', link);
  for (const mount of mountsBelow(path)) attempt('umount', '--lazy', mount);
  rmSync(path, { recursive: true, force: true });
}

/** Kills the processes of a namespace, also those that start while others are killed. */
function endProcesses(namespace: string): void {
  for (let round = 0; round < 20; round += 1) {
    const pids = processesIn(namespace);
    if (pids.length === 0) return;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** Returns the ids of the processes of a network namespace, which are those of a host. */
export function processesIn(namespace: string): number[] {
  const output = execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
  return output.split('\n').filter(Boolean).map(Number);
}

/** Sends a signal to a process, which may have ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function mountsBelow(path: string): string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return points.map((line) => line.split(' ')[4] ?? '').filter((point) => point.startsWith(`${path}/`));
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Runs a command that may fail because what it removes is gone. */
function attempt(command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
  } catch {}
}
