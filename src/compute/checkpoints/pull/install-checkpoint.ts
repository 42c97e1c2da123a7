import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type CheckFiles,
  type Checkpoint,
  CheckpointError,
  CONFIG_FILE,
  MANIFEST_FILE,
  WEIGHTS_FILE,
} from '../checkpoint.ts';
import { toManifest } from '../manifest.ts';
import { verifyCheckpoint } from '../read-checkpoint-files.ts';
import type { PartFile } from './part-file.ts';

/**
 * Installs a complete download atomically: builds a folder beside the destination, flushes it to the disk, verifies the
 * files in it, and renames it. Readers see either no checkpoint or a complete one.
 */
export async function installCheckpoint(
  checkpoint: Checkpoint,
  config: Uint8Array,
  part: PartFile,
  check: CheckFiles | undefined,
): Promise<void> {
  const draft = `${part.path}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(join(draft, name), content, { mode: 0o600, flush: true });
  await write(CONFIG_FILE, config);
  await write(MANIFEST_FILE, `${JSON.stringify(toManifest(checkpoint), null, 2)}\n`);
  await part.finish();
  await rename(part.path, join(draft, WEIGHTS_FILE));
  const { ok, problems } = await verifyCheckpoint({ ...checkpoint, folder: draft }, check);
  if (!ok) {
    await rm(draft, { recursive: true, force: true });
    throw new CheckpointError('CHECKPOINT_CORRUPT', `The download was removed: ${problems.join(' ')}`);
  }
  await syncFolder(draft);
  await moveAside(checkpoint.folder, `${part.path}.old`);
  await rename(draft, checkpoint.folder);
  await syncFolder(dirname(checkpoint.folder));
  await rm(`${part.path}.old`, { recursive: true, force: true });
}

/**
 * Moves a damaged checkpoint out of the way, because a folder cannot be renamed to the name of one that is not empty.
 */
async function moveAside(folder: string, aside: string): Promise<void> {
  await rm(aside, { recursive: true, force: true });
  try {
    await rename(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Flushes a folder to the disk, including the names of new files in it. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
