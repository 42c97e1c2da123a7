import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { IncompatibleFolderError } from './errors.ts';
import { withoutTierUp } from './without-tier-up.ts';

/** The PostgreSQL version inside the pinned PGlite. It reads files of the same major version only. */
export const PGLITE_POSTGRES_MAJOR = 18;

/** The folder, below a data folder, that PGlite keeps its files in. */
export function pgliteFiles(folder: string): string {
  return join(folder, 'database');
}

/**
 * Makes sure that `folder` holds database files this build can read; makes new ones when there are none.
 * To be called by the holder of the folder's lock only.
 */
export async function preparePgliteFiles(folder: string): Promise<void> {
  const files = pgliteFiles(folder);
  const version = await readFile(join(files, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version === undefined) await makeFiles(folder, files);
  else if (Number(version) !== PGLITE_POSTGRES_MAJOR) {
    throw new IncompatibleFolderError(
      `The database in ${folder} was written by PostgreSQL ${version.trim()}, and this build reads PostgreSQL ${PGLITE_POSTGRES_MAJOR}. ` +
        'Nothing was changed. Start the build that wrote it, or choose another folder with ALMANAC_DATA.',
    );
  }
}

/** Makes the files beside their place and moves them there, so that a process killed half-way leaves no half database. */
async function makeFiles(folder: string, files: string): Promise<void> {
  const unfinished = join(folder, 'database.unfinished');
  await rm(unfinished, { recursive: true, force: true });
  // PGlite makes files that everyone may read; the folder around them keeps others out, even in a data folder that is open.
  await mkdir(unfinished, { mode: 0o700 });
  const pglite = await withoutTierUp(() => PGlite.create(unfinished));
  await pglite.close();
  await rename(unfinished, files);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
