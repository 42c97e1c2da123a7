import { constants, existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { findPackageFile } from '../package-files.ts';
import { DamagedFolderError, IncompatibleFolderError } from './errors.ts';
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
  if (version === undefined) {
    if (existsSync(files)) throw new DamagedFolderError(folder, 'database/PG_VERSION is missing. Nothing was changed');
    await createFiles(folder, files, copyTemplate);
  }
  if (version !== undefined && Number(version) !== PGLITE_POSTGRES_MAJOR) {
    throw new IncompatibleFolderError(
      `The database in ${folder} was written by PostgreSQL ${version.trim()}, but this build reads PostgreSQL ${PGLITE_POSTGRES_MAJOR}. ` +
        'Nothing was changed. Start the build that wrote it, or choose another folder with ALMANAC_DATA.',
    );
  }
}

/**
 * Creates the template, an empty database in `node_modules`, unless it exists. A service copies the template when it
 * first starts, because creating a database takes seconds. `npm ci` removes the template together with the PGlite that
 * created it.
 */
export async function createPgliteTemplate(): Promise<void> {
  const template = await locateTemplate();
  if (existsSync(template)) return;
  await mkdir(dirname(template), { recursive: true });
  await createFiles(dirname(template), template, initialize);
}

/** Copies the template. If there is none, such as in a read-only installation, creates the files here. */
async function copyTemplate(folder: string): Promise<void> {
  const template = await locateTemplate();
  if (!existsSync(template)) return initialize(folder);
  await cp(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function locateTemplate(): Promise<string> {
  const manifest = await findPackageFile({ package: '@electric-sql/pglite', path: 'package.json' });
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  return join(dirname(manifest), '../../.cache/almanac-database', `pglite-${version}`);
}

/** Fills another folder and then renames it, so that a killed process leaves no incomplete database. */
async function createFiles(parent: string, files: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const unfinished = join(parent, 'database.unfinished');
  await rm(unfinished, { recursive: true, force: true });
  // PGlite creates files that every user of the machine may read, but only the owner may open the folder.
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await fill(unfinished);
    await rename(unfinished, files);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function initialize(folder: string): Promise<void> {
  const pglite = await withoutTierUp(() => PGlite.create(folder));
  await pglite.close();
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
