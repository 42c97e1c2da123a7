import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Checkpoint,
  CheckpointError,
  type CheckpointFolders,
  type CheckpointModel,
  MANIFEST_FILE,
} from './checkpoint.ts';
import { readManifest } from './manifest.ts';
import { READ_TIMEOUT_MS, withTimeout } from './read-plain-file.ts';

/** A folder without a usable manifest. */
export interface BrokenCheckpoint {
  readonly folder: string;
  readonly problem: string;
}

/** Lists the checkpoints by their manifests: the newest installed one first, the bundled ones last. */
export async function listCheckpoints(folders: CheckpointFolders): Promise<Checkpoint[]> {
  return (await scanCheckpoints(folders)).checkpoints;
}

/** Lists the checkpoints, and the folders without a usable manifest. */
export async function scanCheckpoints(
  folders: CheckpointFolders,
): Promise<{ checkpoints: Checkpoint[]; broken: BrokenCheckpoint[] }> {
  const broken: BrokenCheckpoint[] = [];
  const scan = async (parent: string, origin: Checkpoint['origin']) => {
    const names = await foldersIn(parent);
    const read = await Promise.all(names.map((name) => readOrReport(join(parent, name), origin, broken)));
    return read.filter((checkpoint) => checkpoint !== undefined).sort(newestFirst);
  };
  const installed = await scan(folders.installed, 'installed');
  const bundled = await scan(folders.bundled, 'bundled');
  // Equal ids mean equal content, so a bundled checkpoint that is also installed is listed once.
  const others = bundled.filter(({ id }) => !installed.some((checkpoint) => checkpoint.id === id));
  return { checkpoints: [...installed, ...others], broken };
}

/** Returns the checkpoint with exactly this id, or null. No other checkpoint is returned in its place. */
export async function findCheckpoint(folders: CheckpointFolders, id: string): Promise<Checkpoint | null> {
  return (await listCheckpoints(folders)).find((checkpoint) => checkpoint.id === id) ?? null;
}

export interface DefaultCheckpointOptions {
  /** The id of the only checkpoint to accept. */
  readonly chosenId?: string | undefined;
  /** Returns whether a checkpoint is undamaged; others are skipped. By default no checkpoint is examined. */
  readonly isSound?: ((checkpoint: Checkpoint) => Promise<boolean>) | undefined;
  /** Called for each folder that is skipped because its manifest cannot be used. */
  readonly onBroken?: ((broken: BrokenCheckpoint) => void) | undefined;
}

/**
 * Returns the checkpoint for new forecasts: the chosen one if an id is given, otherwise the newest installed one,
 * otherwise the bundled one. Returns null if there is none.
 */
export async function defaultCheckpoint(
  folders: CheckpointFolders,
  model: CheckpointModel,
  { chosenId, isSound, onBroken }: DefaultCheckpointOptions = {},
): Promise<Checkpoint | null> {
  const { checkpoints, broken } = await scanCheckpoints(folders);
  for (const one of broken) onBroken?.(one);
  const candidates = checkpoints.filter(
    (one) => one.model === model && (chosenId === undefined || one.id === chosenId),
  );
  // One after the other, because usually the first one is sound and the others need not be examined.
  for (const candidate of candidates) {
    if (isSound === undefined || (await isSound(candidate))) return candidate;
  }
  return null;
}

async function foldersIn(parent: string): Promise<string[]> {
  try {
    const entries = await withTimeout(READ_TIMEOUT_MS, () => readdir(parent, { withFileTypes: true }));
    // Names of unfinished installations begin with a dot.
    return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new CheckpointError('CHECKPOINT_UNAVAILABLE', `${parent} cannot be read: ${message}.`, { cause: error });
  }
}

async function readOrReport(
  folder: string,
  origin: Checkpoint['origin'],
  broken: BrokenCheckpoint[],
): Promise<Checkpoint | undefined> {
  try {
    return await readManifest(folder, origin);
  } catch (error) {
    broken.push({ folder, problem: `${MANIFEST_FILE} cannot be used: ${(error as Error).message}` });
    return undefined;
  }
}

function newestFirst(a: Checkpoint, b: Checkpoint): number {
  return Date.parse(b.installedAt) - Date.parse(a.installedAt) || (a.id < b.id ? -1 : 1);
}
