import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../private-folder.ts';
import { BackupError } from './backup-error.ts';
import type { StoredFile } from './manifest.ts';
import { FORMAT } from './sealed-file.ts';

/** Larger than any key or token. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Files of the running process. They must not be opened here: reading a lock file would release the lock. */
const OWN_FILES = /^(almanac\.(pid|lock)|backup\.lock|control\.json|database\.reserve)|\.partial$/;

/** Reads the private files of a data folder, such as the key of the demonstration account. Folders are not among them. */
export async function readPrivateFiles(dataFolder: string): Promise<StoredFile[]> {
  const names = await readdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files: StoredFile[] = [];
  for (const name of names.sort()) {
    if (OWN_FILES.test(name)) continue;
    const path = join(dataFolder, name);
    const found = await lstat(path);
    if (!found.isFile() || found.size > MAX_FILE_BYTES) continue;
    const content = await readFile(path);
    // An earlier backup is not a secret of the service.
    if (!content.subarray(0, FORMAT.length).equals(Buffer.from(FORMAT)))
      files.push({ name, content: content.toString('base64') });
  }
  return files;
}

/** Throws if a file would replace one with another content. */
export async function requireSamePrivateFiles(dataFolder: string, files: readonly StoredFile[]): Promise<void> {
  const different: string[] = [];
  for (const { name, content } of files) {
    const found = await readFile(pathOf(dataFolder, name)).catch(() => undefined);
    if (found !== undefined && found.toString('base64') !== content) different.push(name);
  }
  if (different.length === 0) return;
  throw new BackupError(
    `${dataFolder} has other contents in ${different.join(', ')} than the backup. Nothing was changed. ` +
      'Set ALMANAC_DATA to another folder, or replace the files with --force.',
  );
}

/** Writes files that only the owner can read. Each appears complete. */
export async function writePrivateFiles(dataFolder: string, files: readonly StoredFile[]): Promise<void> {
  if (files.length > 0) await makePrivateFolder(dataFolder);
  for (const { name, content } of files) {
    const path = pathOf(dataFolder, name);
    const draft = `${path}.partial`;
    await rm(draft, { force: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.from(content, 'base64'));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  }
}

function pathOf(dataFolder: string, name: string): string {
  if (/[/\0]/.test(name) || name === '..' || name === '.' || OWN_FILES.test(name))
    throw new BackupError(`The backup has a file with the name ${JSON.stringify(name)}. Nothing was changed.`);
  return join(dataFolder, name);
}
