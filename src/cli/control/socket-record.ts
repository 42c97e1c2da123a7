import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where a running service listens for the command line. The socket itself is not in the data folder, because the path
 * of a socket may have 107 characters only.
 */
export interface SocketRecord {
  readonly socket: string;
  readonly pid: number;
}

const FILE = 'control.json';

/** Written beside and renamed: a reader finds the whole record or none. */
export async function writeSocketRecord(dataFolder: string, socket: string): Promise<void> {
  const draft = join(dataFolder, `${FILE}.${process.pid}`);
  const record: SocketRecord = { socket, pid: process.pid };
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
  await rename(draft, join(dataFolder, FILE));
}

/** Null when there is none, or none to be trusted: a stranger may have taken the place of a socket that is gone. */
export async function readSocketRecord(dataFolder: string): Promise<SocketRecord | null> {
  try {
    const file = join(dataFolder, FILE);
    const record = JSON.parse(await readFile(file, 'utf8')) as SocketRecord;
    const [owner, socketOwner] = await Promise.all([stat(file), stat(record.socket)]);
    return owner.uid === socketOwner.uid ? record : null;
  } catch {
    // Absent, unreadable, or of a service that died together with its temporary files: nobody to talk to.
    return null;
  }
}

export async function removeSocketRecord(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, FILE), { force: true });
}
