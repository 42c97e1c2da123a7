import { join } from 'node:path';
import { type Checkpoint, type CheckpointFiles, CONFIG_FILE, MAX_JSON_BYTES, WEIGHTS_FILE } from './checkpoint.ts';
import { CheckpointError } from './checkpoint-error.ts';
import { checkpointId, splitCheckpointId } from './checkpoint-id.ts';
import { parseConfig } from './config-values.ts';
import { type PlainFile, readPlainFile } from './read-plain-file.ts';

/**
 * The bytes of a checkpoint, which are those of its manifest and its id: `CHECKPOINT_CORRUPT` if not,
 * `CHECKPOINT_UNAVAILABLE` if they cannot be read.
 */
export async function readCheckpointFiles(checkpoint: Checkpoint): Promise<CheckpointFiles> {
  const config = await readConfigFile(checkpoint);
  return { config, weights: await readWeightsFile(checkpoint) };
}

export async function readConfigFile(checkpoint: Checkpoint): Promise<Uint8Array> {
  const { id, sha256, configSha256 } = checkpoint;
  const config = await readPinned(checkpoint, CONFIG_FILE, configSha256, (size) => size <= MAX_JSON_BYTES);
  const name = splitCheckpointId(id)?.name ?? '';
  if (checkpointId(name, sha256, parseConfig(config)) !== id)
    throw corrupt(checkpoint, CONFIG_FILE, 'belongs to no such id');
  return config;
}

export function readWeightsFile(checkpoint: Checkpoint): Promise<Uint8Array> {
  return readPinned(checkpoint, WEIGHTS_FILE, checkpoint.sha256, (size) => size === checkpoint.size);
}

async function readPinned(
  checkpoint: Checkpoint,
  name: string,
  sha256: string,
  fits: (size: number) => boolean,
): Promise<Uint8Array> {
  const path = join(checkpoint.folder, name);
  const { bytes, sha256: found } = await read(path, (size) => {
    // Before anything is read: a file of another size is another file, and may be a huge one.
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

function corrupt({ id }: Checkpoint, name: string, what: string): CheckpointError {
  return new CheckpointError('CHECKPOINT_CORRUPT', `${name} of ${id} is not what its manifest says: it ${what}.`);
}
