import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, readable by the owner only; an existing folder is not changed. It does not use the
 * recursion of `mkdir`, which never returns on a file system that reports ENOENT for a folder whose parent exists (/proc).
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

/** Another process may have created it first. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
