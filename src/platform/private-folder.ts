import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, readable only by the owner. An existing folder is not changed. It does not use the
 * recursive option of `mkdir`, which never returns on a file system that reports ENOENT although the parent exists,
 * such as /proc.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makePrivateFolder(dirname(folder));
    await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
  }
}

/** Ignores the error if another process has created the folder first. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Matches the names of files with secrets directly in the data folder. */
export const IS_PRIVATE_FILE = /^(demo-api-key|control\.json|.*key.*)$/;
