import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the fields of the status of a process from its state on; none if it has ended. */
function readStatus(pid: number | string): string[] {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? []) : [];
}

/** Returns the children of a process that have not ended. */
export function findChildren(parent: number | undefined): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all
    .map(Number)
    .filter((pid) => readStatus(pid)[1] === String(parent))
    .filter((pid) => !hasEnded(pid));
}

export function hasEnded(pid: number): boolean {
  return ['Z', undefined].includes(readStatus(pid)[0]);
}

/** Returns the time that processes have used, in hundredths of a second. */
export function readCpuTime(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + Number(readStatus(pid)[11]), 0);
}

/** Returns the memory of a process; 0 if it has ended. */
export function readResidentBytes(pid: number): number {
  const pages = Number(readStatus(pid)[21]);
  return (pages || 0) * 4096;
}
