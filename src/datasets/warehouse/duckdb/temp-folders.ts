import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../../platform/index.ts';

/** Creates the folder of a child below the folder for temporary files. Its name contains the id of this process. */
export async function makeTempFolder(tempFolder: string): Promise<string> {
  await makePrivateFolder(tempFolder);
  return mkdtemp(join(tempFolder, `duckdb-${process.pid}-`));
}

/**
 * Removes the folders of children whose service was killed. It is called before the first query of this process, so a
 * folder with the id of this process belongs to an earlier one: in a container, each start has the same id.
 */
export async function removeOldTempFolders(tempFolder: string): Promise<void> {
  const names = await readdir(tempFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const pid = Number(/^duckdb-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue;
    await rm(join(tempFolder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    // The signal 0 only checks that the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
