import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { type Database, DiskFullError } from '../database/index.ts';
import { openPglite } from '../database/open-pglite.ts';
import { locatePgliteFiles } from '../database/pglite-files.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { BackupError } from './backup-error.ts';

/** A folder in the data folder with a copy of the database, from which a backup is written. */
const COPY_FOLDER = 'backup.copy';
/** A folder in the data folder in which a database is restored. */
const UNFINISHED_FOLDER = 'restore.unfinished';

const COPIES_AT_ONCE = 32;
const STEP_BYTES = 4 * 1024 * 1024;
const MIB = 1024 * 1024;
/** A file that was written this long before it was copied counts as changed: clocks of file systems are coarse. */
const CLOCK_MARGIN_MS = 2_000;

export interface CopiedDatabase {
  /** A data folder that contains only the copy. */
  readonly folder: string;
  readonly bytes: number;
  /** For how long statements waited. */
  readonly pauseMs: number;
}

/**
 * Copies the files of an open embedded database, so that another process can read the copy. Files are copied while
 * statements run; then statements wait while those that changed since are copied again.
 */
export async function copyEmbeddedDatabase(database: Database, dataFolder: string): Promise<CopiedDatabase> {
  const engine = engineOf(database);
  if (engine.kind !== 'pglite') throw new TypeError('The database is not an embedded one.');
  const { pglite, mutex } = engine;
  const source = locatePgliteFiles(dataFolder);
  const folder = join(dataFolder, COPY_FOLDER);
  await removeEmbeddedCopy(dataFolder);
  // Afterward, few files change until they are copied again.
  await pglite.exec('CHECKPOINT');
  await requireSpace(dataFolder, await listFiles(source));
  await makePrivateFolder(folder);
  const target = locatePgliteFiles(folder);
  await mkdir(target, { mode: 0o700 });
  try {
    const startedAt = Date.now();
    const first = await listFiles(source);
    await copyFiles(source, target, first);
    return await mutex.run(() =>
      // The cleanup of the database does not use the mutex.
      pglite._runExclusiveTransaction(async () => {
        const pausedAt = performance.now();
        const now = await listFiles(source);
        const before = new Map(first.map((file) => [file.name, file]));
        const changed = now.filter(({ name, size, writtenAt }) => {
          return before.get(name)?.size !== size || writtenAt >= startedAt - CLOCK_MARGIN_MS;
        });
        await copyFiles(source, target, changed);
        const present = new Set(now.map(({ name }) => name));
        for (const { name } of first) if (!present.has(name)) await rm(join(target, name), { force: true });
        const bytes = now.reduce((sum, { size }) => sum + size, 0);
        return { folder, bytes, pauseMs: Math.round(performance.now() - pausedAt) };
      }),
    );
  } catch (error) {
    await removeEmbeddedCopy(dataFolder);
    throw error;
  }
}

export async function removeEmbeddedCopy(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, COPY_FOLDER), { recursive: true, force: true });
}

interface DatabaseFile {
  readonly name: string;
  readonly size: number;
  readonly writtenAt: number;
  readonly isFolder: boolean;
}

/** Returns the files and folders, a folder before its content. Leaves out what disappears meanwhile. */
async function listFiles(folder: string): Promise<DatabaseFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<DatabaseFile | undefined> => {
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return undefined;
      const isFolder = found.isDirectory();
      return { name: relative(folder, path), size: isFolder ? 0 : found.size, writtenAt: found.mtimeMs, isFolder };
    }),
  );
  return files.filter((file) => file !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Copies some files at a time: on a busy service, each waits for its turn on the main thread. */
async function copyFiles(source: string, target: string, files: readonly DatabaseFile[]): Promise<void> {
  for (const { name, isFolder } of files) if (isFolder) await mkdir(join(target, name), { recursive: true });
  const waiting = files.filter(({ isFolder }) => !isFolder);
  const copyNext = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) await copyOne(source, target, file);
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, copyNext));
}

async function copyOne(source: string, target: string, { name, size }: DatabaseFile): Promise<void> {
  const [from, to] = [join(source, name), join(target, name)];
  try {
    if (size <= STEP_BYTES) await copyFile(from, to, constants.COPYFILE_FICLONE);
    else if (existsSync(to)) await updateInSteps(from, to);
    else if (!(await sharesBlocks(from, to))) await copyInSteps(from, to, size);
  } catch (error) {
    // A file that disappears meanwhile is not part of the database anymore.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(from)) throw error;
  }
}

/** Lets both files have the same blocks, which some file systems can. Returns whether it did. */
async function sharesBlocks(from: string, to: string): Promise<boolean> {
  return copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error;
      return false;
    },
  );
}

/**
 * Copies a large file and waits for the disk after each step. Otherwise a commit of the service would wait until
 * everything that was copied before it is on the disk. Ends at the size that the file had, because it can grow as fast as it is copied.
 */
async function copyInSteps(from: string, to: string, size: number): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'w', 0o600);
  const bytes = Buffer.allocUnsafe(STEP_BYTES);
  for (let at = 0; at < size; at += STEP_BYTES) {
    const { bytesRead } = await source.read(bytes, 0, STEP_BYTES, at);
    await target.write(bytes, 0, bytesRead, at);
    await target.datasync();
  }
}

/** Makes the copy of a large file equal to it. Most of its bytes are, so few are written. */
async function updateInSteps(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'r+');
  const [wanted, copied] = [Buffer.allocUnsafe(STEP_BYTES), Buffer.allocUnsafe(STEP_BYTES)];
  for (let at = 0; ; at += STEP_BYTES) {
    const [{ bytesRead }, present] = await Promise.all([
      source.read(wanted, 0, STEP_BYTES, at),
      target.read(copied, 0, STEP_BYTES, at),
    ]);
    const bytes = wanted.subarray(0, bytesRead);
    if (!bytes.equals(copied.subarray(0, present.bytesRead))) await target.write(bytes, 0, bytesRead, at);
    if (bytesRead < STEP_BYTES) return target.truncate(at + bytesRead);
  }
}

async function requireSpace(folder: string, files: readonly DatabaseFile[]): Promise<void> {
  const needed = files.reduce((sum, { size }) => sum + size, 0) * 1.1 + 64 * MIB;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed) return;
  throw new DiskFullError(
    `A backup of a running service copies its database first: ${Math.ceil(needed / MIB)} MiB must be free on the disk of ` +
      `${folder}, and ${Math.floor((bavail * bsize) / MIB)} MiB are. Nothing was changed. Free some space, or stop the service and repeat the command.`,
  );
}

/** Returns whether the data folder has an embedded database. */
export function hasEmbeddedDatabase(dataFolder: string): boolean {
  return existsSync(locatePgliteFiles(dataFolder));
}

export interface NewEmbeddedDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Closes the database and gives it to the data folder. Without it, disposal removes it. */
  keep(): Promise<void>;
}

/** Creates an embedded database beside the place where a service would find it. Throws if the data folder has one. */
export async function createEmbeddedDatabase(
  dataFolder: string,
  options: { readonly lockWaitMs: number; readonly minFreeMib: number },
): Promise<NewEmbeddedDatabase> {
  await makePrivateFolder(dataFolder);
  const lock = await lockFolder(dataFolder, options.lockWaitMs);
  const folder = join(dataFolder, UNFINISHED_FOLDER);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (hasEmbeddedDatabase(dataFolder)) {
      throw new BackupError(
        `${dataFolder} has a database. Nothing was changed. Move the folder away, or set ALMANAC_DATA to another one.`,
      );
    }
    await remove();
    const database = await openPglite({ folder, ...options, lockWaitMs: 0, log: undefined, objects: null });
    // No statement waits for the disk: the database is kept only if it is complete and was closed.
    await sql`SET synchronous_commit = off`.execute(database.query());
    return {
      database,
      keep: async () => {
        await database.close();
        await rename(locatePgliteFiles(folder), locatePgliteFiles(dataFolder));
      },
      [Symbol.asyncDispose]: async () => {
        await database.close();
        await remove();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
