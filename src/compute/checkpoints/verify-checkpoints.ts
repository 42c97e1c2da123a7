import { basename } from 'node:path';
import type { CheckFiles, Checkpoint } from './checkpoint.ts';
import { CheckpointError } from './checkpoint-error.ts';
import type { CheckpointFolders } from './folders.ts';
import { scanCheckpoints } from './list-checkpoints.ts';
import { readConfigFile, readWeightsFile } from './read-checkpoint-files.ts';

export interface CheckpointVerdict {
  readonly id: string;
  readonly ok: boolean;
  /** What differs, a line each. */
  readonly problems: readonly string[];
}

export interface VerifyOptions {
  /** Only this one. */
  readonly id?: string | undefined;
  readonly check?: CheckFiles | undefined;
}

/** Reads and hashes every file again; says of each checkpoint what differs from its manifest. */
export async function verifyCheckpoints(
  folders: CheckpointFolders,
  { id, check }: VerifyOptions = {},
): Promise<{ ok: boolean; checkpoints: CheckpointVerdict[] }> {
  const { checkpoints, broken } = await scanCheckpoints(folders);
  const verdicts = broken.map(({ folder, problem }) => verdict(basename(folder), [problem]));
  // One after the other: the weights of each are held whole.
  for (const checkpoint of checkpoints) {
    if (id === undefined || id === checkpoint.id) verdicts.push(await verifyCheckpoint(checkpoint, check));
  }
  const asked = verdicts.filter((one) => id === undefined || id === one.id);
  if (id !== undefined && asked.length === 0) {
    throw new CheckpointError(
      'CHECKPOINT_UNAVAILABLE',
      `The checkpoint ${JSON.stringify(id.slice(0, 120))} is not here.`,
    );
  }
  return { ok: asked.every(({ ok }) => ok), checkpoints: asked };
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
  const refused = [config, weights].filter((read) => read.status === 'rejected');
  return verdict(
    checkpoint.id,
    refused.map(({ reason }) => (reason as Error).message),
  );
}

function verdict(id: string, problems: readonly string[]): CheckpointVerdict {
  return { id, ok: problems.length === 0, problems };
}
