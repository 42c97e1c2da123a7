import { resolve } from 'node:path';
import { PGliteDialect } from 'kysely';
import { makePrivateFolder } from '../private-folder.ts';
import { assembleDatabase } from './assemble-database.ts';
import type { Database } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { engineForKysely, startPglite } from './pglite-engine.ts';
import { pgliteFiles, preparePgliteFiles } from './pglite-files.ts';
import { type HousekeepingLog, startHousekeeping } from './pglite-housekeeping.ts';
import { StatementRunner } from './statement-runner.ts';
import { TransactionGuard } from './transaction-guard.ts';

export interface PgliteOptions {
  readonly folder: string;
  readonly lockWaitMs: number;
  readonly log: HousekeepingLog | undefined;
}

/** Opens (or makes) the embedded database in `folder`, once the folder's lock is ours. */
export async function openPglite({ folder, lockWaitMs, log }: PgliteOptions): Promise<Database> {
  const home = resolve(folder);
  await makePrivateFolder(home);
  const lock = await lockFolder(home, lockWaitMs);
  try {
    await preparePgliteFiles(home);
    const pglite = await startPglite(pgliteFiles(home));
    const stopHousekeeping = startHousekeeping(pglite, log);
    const statements = new StatementRunner(pglite);
    const engine = {
      kind: 'pglite',
      guard: new TransactionGuard(),
      pglite,
      statements,
      turns: new OneAtATime(),
    } as const;
    const dialect = new PGliteDialect({ pglite: engineForKysely(pglite, statements) });
    return assembleDatabase(engine, dialect, async () => {
      await stopHousekeeping();
      await pglite.close().finally(() => lock.release());
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
