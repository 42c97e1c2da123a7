import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, type CheckpointModel, MANIFEST_FILE } from './checkpoint.ts';
import { CheckpointError } from './checkpoint-error.ts';
import type { CheckpointFolders } from './folders.ts';
import { readManifest } from './manifest.ts';
import { MAX_READING_MS } from './read-plain-file.ts';
import { withinTime } from './within-time.ts';

/** A folder that should hold a checkpoint and does not. */
export interface BrokenCheckpoint {
  readonly folder: string;
  readonly problem: string;
}

/** The checkpoints that are here by their manifests: the newest installed one first, the bundled ones last. */
export async function listCheckpoints(folders: CheckpointFolders): Promise<Checkpoint[]> {
  return (await scanCheckpoints(folders)).checkpoints;
}

/** The same, and what is broken. */
export async function scanCheckpoints(
  folders: CheckpointFolders,
): Promise<{ checkpoints: Checkpoint[]; broken: BrokenCheckpoint[] }> {
  const broken: BrokenCheckpoint[] = [];
  const scan = async (parent: string, origin: Checkpoint['origin']) => {
    const names = await foldersIn(parent);
    const read = await Promise.all(names.map((name) => readOrNote(join(parent, name), origin, broken)));
    return read.filter((checkpoint) => checkpoint !== undefined).sort(newestFirst);
  };
  const installed = await scan(folders.installed, 'installed');
  const bundled = await scan(folders.bundled, 'bundled');
  // The same content under the same id: one of them is enough.
  const others = bundled.filter(({ id }) => !installed.some((checkpoint) => checkpoint.id === id));
  return { checkpoints: [...installed, ...others], broken };
}

/** The checkpoint of exactly this id, or null: none is ever replaced by another. */
export async function findCheckpoint(folders: CheckpointFolders, id: string): Promise<Checkpoint | null> {
  return (await listCheckpoints(folders)).find((checkpoint) => checkpoint.id === id) ?? null;
}

export interface DefaultOptions {
  /** This one and no other. */
  readonly wanted?: string | undefined;
  /** One that is not is passed over. Left out: nobody looks. */
  readonly isSound?: ((checkpoint: Checkpoint) => Promise<boolean>) | undefined;
  /** Told of the folders that are passed over, because they hold no checkpoint. */
  readonly onBroken?: ((broken: BrokenCheckpoint) => void) | undefined;
}

/**
 * The checkpoint that a new forecast takes: the wanted one and no other, otherwise the newest installed one, otherwise
 * the bundled one; null where there is none.
 */
export async function defaultCheckpoint(
  folders: CheckpointFolders,
  model: CheckpointModel,
  { wanted, isSound, onBroken }: DefaultOptions = {},
): Promise<Checkpoint | null> {
  const { checkpoints, broken } = await scanCheckpoints(folders);
  for (const one of broken) onBroken?.(one);
  const candidates = checkpoints.filter((one) => one.model === model && (wanted === undefined || one.id === wanted));
  // One after the other: mostly the first one will do, and looking into the others would be for nothing.
  for (const candidate of candidates) {
    if (isSound === undefined || (await isSound(candidate))) return candidate;
  }
  return null;
}

async function foldersIn(parent: string): Promise<string[]> {
  try {
    const entries = await withinTime(MAX_READING_MS, () => readdir(parent, { withFileTypes: true }));
    // A dot begins what is not installed yet.
    return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new CheckpointError('CHECKPOINT_UNAVAILABLE', `${parent} cannot be read: ${message}.`, { cause: error });
  }
}

async function readOrNote(
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
