import { basename, join } from 'node:path';
import {
  type CheckFiles,
  type Checkpoint,
  CheckpointError,
  type CheckpointFiles,
  type CheckpointFolders,
  CONFIG_FILE,
  checkpointId,
  MAX_JSON_BYTES,
  splitCheckpointId,
  WEIGHTS_FILE,
} from './checkpoint.ts';
import { scanCheckpoints } from './list-checkpoints.ts';
import { parseConfig } from './manifest.ts';
import { type PlainFile, readPlainFile } from './read-plain-file.ts';

/**
 * Reads the files of a checkpoint. Throws `CHECKPOINT_CORRUPT` if they do not match its manifest and its id, and
 * `CHECKPOINT_UNAVAILABLE` if they cannot be read.
 */
export async function readCheckpointFiles(checkpoint: Checkpoint): Promise<CheckpointFiles> {
  const config = await readConfigFile(checkpoint);
  return { config, weights: await readWeightsFile(checkpoint) };
}

export async function readConfigFile(checkpoint: Checkpoint): Promise<Uint8Array> {
  const { id, sha256, configSha256 } = checkpoint;
  const config = await readVerified(checkpoint, CONFIG_FILE, configSha256, (size) => size <= MAX_JSON_BYTES);
  const name = splitCheckpointId(id)?.name ?? '';
  if (checkpointId(name, sha256, parseConfig(config)) !== id)
    throw corrupt(checkpoint, CONFIG_FILE, 'does not match the id');
  return config;
}

export function readWeightsFile(checkpoint: Checkpoint): Promise<Uint8Array> {
  return readVerified(checkpoint, WEIGHTS_FILE, checkpoint.sha256, (size) => size === checkpoint.size);
}

async function readVerified(
  checkpoint: Checkpoint,
  name: string,
  sha256: string,
  fits: (size: number) => boolean,
): Promise<Uint8Array> {
  const path = join(checkpoint.folder, name);
  const { bytes, sha256: found } = await read(path, (size) => {
    // Checked before anything is read: a file of the wrong size may be huge.
    if (!fits(size)) throw corrupt(checkpoint, name, `has ${size} bytes`);
  });
  if (found !== sha256) throw corrupt(checkpoint, name, `has the sha256 ${found} instead of ${sha256}`);
  return bytes;
}

async function read(path: string, checkSize: (size: number) => void): Promise<PlainFile> {
  try {
    return await readPlainFile(path, checkSize);
  } catch (error) {
    if (error instanceof CheckpointError) throw error;
    throw new CheckpointError('CHECKPOINT_UNAVAILABLE', `${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function corrupt({ id }: Checkpoint, name: string, problem: string): CheckpointError {
  return new CheckpointError('CHECKPOINT_CORRUPT', `${name} of ${id} does not match its manifest: it ${problem}.`);
}

export interface CheckpointVerdict {
  readonly id: string;
  readonly ok: boolean;
  /** The differences from the manifest, one line each. */
  readonly problems: readonly string[];
}

export interface VerifyOptions {
  /** The only checkpoint to verify. */
  readonly id?: string | undefined;
  readonly check?: CheckFiles | undefined;
}

/** Reads and hashes the files of every checkpoint, and reports how each checkpoint differs from its manifest. */
export async function verifyCheckpoints(
  folders: CheckpointFolders,
  { id, check }: VerifyOptions = {},
): Promise<{ ok: boolean; checkpoints: CheckpointVerdict[] }> {
  const { checkpoints, broken } = await scanCheckpoints(folders);
  const verdicts = broken.map(({ folder, problem }) => verdict(basename(folder), [problem]));
  // One after the other, because each needs memory for all its weights.
  for (const checkpoint of checkpoints) {
    if (id === undefined || id === checkpoint.id) verdicts.push(await verifyCheckpoint(checkpoint, check));
  }
  const selected = verdicts.filter((one) => id === undefined || id === one.id);
  if (id !== undefined && selected.length === 0) {
    throw new CheckpointError(
      'CHECKPOINT_UNAVAILABLE',
      `No checkpoint has the id ${JSON.stringify(id.slice(0, 120))}.`,
    );
  }
  return { ok: selected.every(({ ok }) => ok), checkpoints: selected };
}

export async function verifyCheckpoint(checkpoint: Checkpoint, check?: CheckFiles): Promise<CheckpointVerdict> {
  const [config, weights] = await Promise.allSettled([readConfigFile(checkpoint), readWeightsFile(checkpoint)]);
  if (config.status === 'fulfilled' && weights.status === 'fulfilled') {
    try {
      check?.({ config: config.value, weights: weights.value });
      return verdict(checkpoint.id, []);
    } catch (error) {
      return verdict(checkpoint.id, [(error as Error).message]);
    }
  }
  const failed = [config, weights].filter((read) => read.status === 'rejected');
  return verdict(
    checkpoint.id,
    failed.map(({ reason }) => (reason as Error).message),
  );
}

function verdict(id: string, problems: readonly string[]): CheckpointVerdict {
  return { id, ok: problems.length === 0, problems };
}
