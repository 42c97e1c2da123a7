import { resolve } from 'node:path';
import { PGliteDialect } from 'kysely';
import { Mutex } from '../mutex.ts';
import { makePrivateFolder } from '../private-folder.ts';
import type { Database } from './database.ts';
import { assembleDatabase } from './engine.ts';
import { lockFolder } from './folder-lock.ts';
import { type CleanupLog, startCleanup } from './pglite-cleanup.ts';
import { engineForKysely, startPglite } from './pglite-engine.ts';
import { locatePgliteFiles, preparePgliteFiles } from './pglite-files.ts';
import { StatementRunner } from './statement-runner.ts';
import { TransactionGuard } from './transaction-guard.ts';

export interface PgliteOptions {
  readonly folder: string;
  readonly lockWaitMs: number;
  readonly log: CleanupLog | undefined;
}

/** Takes the lock on `folder`, then opens or creates the embedded database in it. */
export async function openPglite({ folder, lockWaitMs, log }: PgliteOptions): Promise<Database> {
  const path = resolve(folder);
  await makePrivateFolder(path);
  const lock = await lockFolder(path, lockWaitMs);
  try {
    await preparePgliteFiles(path);
    const pglite = await startPglite(locatePgliteFiles(path));
    const stopCleanup = startCleanup(pglite, log);
    const statements = new StatementRunner(pglite);
    const engine = {
      kind: 'pglite',
      guard: new TransactionGuard(),
      pglite,
      statements,
      mutex: new Mutex(),
    } as const;
    const dialect = new PGliteDialect({ pglite: engineForKysely(pglite, statements) });
    return assembleDatabase(engine, dialect, async () => {
      await stopCleanup();
      await pglite.close().finally(() => lock.release());
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
