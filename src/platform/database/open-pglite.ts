import { resolve } from 'node:path';
import { PGliteDialect } from 'kysely';
import { Mutex } from '../mutex.ts';
import type { ObjectStorage } from '../objects/object-storage.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { checkPgliteFiles } from './check-pglite-files.ts';
import type { Database } from './database.ts';
import { DiskSpace } from './disk-space.ts';
import { assembleDatabase, type EngineParts } from './engine.ts';
import { DamagedFolderError } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { type CleanupLog, checkpointIfUseful, startCleanup } from './pglite-cleanup.ts';
import { engineForKysely, startPglite } from './pglite-engine.ts';
import { locatePgliteFiles, preparePgliteFiles } from './pglite-files.ts';
import { StatementRunner } from './statement-runner.ts';
import { TransactionGuard } from './transaction-guard.ts';
import type { WatchedPglite } from './watched-pglite.ts';

export interface PgliteOptions {
  readonly folder: string;
  readonly lockWaitMs: number;
  readonly log: CleanupLog | undefined;
  readonly minFreeMib: number | undefined;
  readonly objects: ObjectStorage | null;
}

/** Takes the lock on `folder`, then opens or creates the embedded database in it. */
export async function openPglite({ folder, lockWaitMs, log, minFreeMib, objects }: PgliteOptions): Promise<Database> {
  const path = resolve(folder);
  await makePrivateFolder(path);
  const lock = await lockFolder(path, lockWaitMs);
  try {
    let pglite: WatchedPglite | undefined;
    const disk =
      minFreeMib === undefined
        ? undefined
        : new DiskSpace({ folder: path, minFreeMib, log, onLow: async () => pglite && checkpointIfUseful(pglite) });
    disk?.requireSpaceToOpen();
    await preparePgliteFiles(path);
    checkPgliteFiles(path);
    pglite = await start(path, disk);
    disk?.start();
    const stopCleanup = startCleanup(pglite, log, { disk });
    const release = async () => {
      await stopCleanup();
      await disk?.stop();
      await pglite?.close().finally(() => lock.release());
    };
    return assemble(pglite, disk, { release, objects });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function start(folder: string, disk: DiskSpace | undefined): Promise<WatchedPglite> {
  try {
    return await startPglite(locatePgliteFiles(folder), { releaseReserve: () => disk?.releaseReserve() ?? false });
  } catch (error) {
    throw new DamagedFolderError(folder, `it cannot be started (${firstLine(error)})`, { cause: error });
  }
}

function assemble(pglite: WatchedPglite, disk: DiskSpace | undefined, parts: EngineParts): Database {
  const statements = new StatementRunner(pglite, { admit: (text) => disk?.admit(text) });
  const engine = { kind: 'pglite', guard: new TransactionGuard(), pglite, statements, mutex: new Mutex() } as const;
  const dialect = new PGliteDialect({ pglite: engineForKysely(pglite, statements) });
  return assembleDatabase(engine, dialect, { ...parts, isDiskLow: () => disk?.isLow() ?? false });
}

function firstLine(error: unknown): string {
  return String((error as Error).message ?? error).split('\n', 1)[0] ?? '';
}
