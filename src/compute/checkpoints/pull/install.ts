import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CheckFiles, type Checkpoint, CONFIG_FILE, MANIFEST_FILE, WEIGHTS_FILE } from '../checkpoint.ts';
import { CheckpointError } from '../checkpoint-error.ts';
import { manifestOf } from '../manifest.ts';
import { verifyCheckpoint } from '../verify-checkpoints.ts';
import type { PartFile } from './part-file.ts';

/**
 * Puts a whole download in its place in one step: the folder is built beside, brought to the disk, read again as it will
 * be used, and renamed. Whoever looks sees no checkpoint or all of it.
 */
export async function installCheckpoint(
  checkpoint: Checkpoint,
  config: Uint8Array,
  part: PartFile,
  check: CheckFiles | undefined,
): Promise<void> {
  const built = `${part.path}.new`;
  await rm(built, { recursive: true, force: true });
  await mkdir(built, { mode: 0o700 });
  const put = (name: string, content: string | Uint8Array) =>
    writeFile(join(built, name), content, { mode: 0o600, flush: true });
  await put(CONFIG_FILE, config);
  await put(MANIFEST_FILE, `${JSON.stringify(manifestOf(checkpoint), null, 2)}\n`);
  await part.finish();
  await rename(part.path, join(built, WEIGHTS_FILE));
  const { ok, problems } = await verifyCheckpoint({ ...checkpoint, folder: built }, check);
  if (!ok) {
    await rm(built, { recursive: true, force: true });
    throw new CheckpointError('CHECKPOINT_CORRUPT', `The download was removed: ${problems.join(' ')}`);
  }
  await syncFolder(built);
  await moveAside(checkpoint.folder, `${part.path}.old`);
  await rename(built, checkpoint.folder);
  await syncFolder(dirname(checkpoint.folder));
  await rm(`${part.path}.old`, { recursive: true, force: true });
}

/** What is there is damaged, or there would have been no download. A folder cannot be renamed onto a full one. */
async function moveAside(folder: string, aside: string): Promise<void> {
  await rm(aside, { recursive: true, force: true });
  try {
    await rename(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A new name is on the disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
