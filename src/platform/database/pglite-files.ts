import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { IncompatibleFolderError } from './errors.ts';
import { withoutTierUp } from './pglite-engine.ts';

/** The PostgreSQL version of the pinned PGlite, which reads only files of the same major version. */
export const PGLITE_POSTGRES_MAJOR = 18;

/** Returns the folder of PGlite's files in a data folder. */
export function locatePgliteFiles(folder: string): string {
  return join(folder, 'database');
}

/**
 * Checks that this build can read the database files in `folder`, and creates them if there are none. Take the lock on
 * the folder first.
 */
export async function preparePgliteFiles(folder: string): Promise<void> {
  const files = locatePgliteFiles(folder);
  const version = await readFile(join(files, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version === undefined) await createFiles(folder, files);
  else if (Number(version) !== PGLITE_POSTGRES_MAJOR) {
    throw new IncompatibleFolderError(
      `The database in ${folder} was written by PostgreSQL ${version.trim()}, but this build reads PostgreSQL ${PGLITE_POSTGRES_MAJOR}. ` +
        'Nothing was changed. Start the build that wrote it, or choose another folder with ALMANAC_DATA.',
    );
  }
}

/** Creates the files in another folder and then renames it, so that a killed process leaves no incomplete database. */
async function createFiles(folder: string, files: string): Promise<void> {
  const unfinished = join(folder, 'database.unfinished');
  await rm(unfinished, { recursive: true, force: true });
  // PGlite creates files that every user of the machine may read, but only the owner may open the folder.
  await mkdir(unfinished, { mode: 0o700 });
  const pglite = await withoutTierUp(() => PGlite.create(unfinished));
  await pglite.close();
  await rename(unfinished, files);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
