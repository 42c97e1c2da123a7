import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where a running service listens for the command line. The socket itself is not in the data folder, because the path
 * of a socket may have 107 characters only.
 */
const FILE = 'control.json';

export async function writeSocketPath(dataFolder: string, socketPath: string): Promise<void> {
  await writeFile(join(dataFolder, FILE), JSON.stringify({ socket: socketPath, pid: process.pid }), { mode: 0o600 });
}

export async function readSocketPath(dataFolder: string): Promise<string | null> {
  try {
    const record: unknown = JSON.parse(await readFile(join(dataFolder, FILE), 'utf8'));
    const { socket } = record as { socket?: unknown };
    return typeof socket === 'string' ? socket : null;
  } catch {
    // Absent, or half written by a process that died: nobody to talk to.
    return null;
  }
}

export async function removeSocketPath(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, FILE), { force: true });
}
