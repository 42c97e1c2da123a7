import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, CheckpointError, type CheckpointFiles, CONFIG_FILE, WEIGHTS_FILE } from './checkpoint.ts';
import { readCheckpointFiles } from './read-checkpoint-files.ts';
import { READ_TIMEOUT_MS, withTimeout } from './read-plain-file.ts';

export interface SoundnessOptions {
  /** Rejects if the files do not form a model. */
  readonly check: (files: CheckpointFiles) => Promise<void>;
  /** Called whenever an examination finds that a checkpoint is damaged. */
  readonly onDamaged: (checkpoint: Checkpoint, problem: string) => void;
}

interface Examination {
  readonly identity: string;
  readonly isSound: Promise<boolean>;
}

/**
 * Determines which checkpoints can be used. Each checkpoint is hashed and checked once, and again if its files have
 * changed; an examination for every request would cost more than a forecast. Concurrent callers share one examination.
 */
export class CheckpointSoundness {
  readonly #check: SoundnessOptions['check'];
  readonly #onDamaged: SoundnessOptions['onDamaged'];
  /** The latest examination of each checkpoint, by folder. */
  readonly #examinations = new Map<string, Examination>();

  constructor({ check, onDamaged }: SoundnessOptions) {
    this.#check = check;
    this.#onDamaged = onDamaged;
  }

  async isSound(checkpoint: Checkpoint): Promise<boolean> {
    // Computed before the files are read: if they change during the examination, the next call finds a different
    // identity.
    const identity = await fileIdentity(checkpoint);
    const last = this.#examinations.get(checkpoint.folder);
    if (last?.identity === identity) return last.isSound;
    const examination = { identity, isSound: this.#examine(checkpoint, () => this.#forget(checkpoint, examination)) };
    this.#examinations.set(checkpoint.folder, examination);
    return examination.isSound;
  }

  async #examine(checkpoint: Checkpoint, forget: () => void): Promise<boolean> {
    try {
      await this.#check(await readCheckpointFiles(checkpoint));
      return true;
    } catch (error) {
      this.#onDamaged(checkpoint, error instanceof Error ? error.message : String(error));
      // A file that could not be read may be readable next time without having changed.
      if (error instanceof CheckpointError && error.code === 'CHECKPOINT_UNAVAILABLE') forget();
      return false;
    }
  }

  #forget({ folder }: Checkpoint, examination: Examination): void {
    if (this.#examinations.get(folder) === examination) this.#examinations.delete(folder);
  }
}

/**
 * Returns a string that changes when the files of a checkpoint or their hashes in the manifest change. Does not read
 * the files.
 */
async function fileIdentity(checkpoint: Checkpoint): Promise<string> {
  const { folder, sha256, configSha256, size } = checkpoint;
  const files = await Promise.all([CONFIG_FILE, WEIGHTS_FILE].map((name) => statIdentity(join(folder, name))));
  return [sha256, configSha256, size, ...files].join(' ');
}

async function statIdentity(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await withTimeout(READ_TIMEOUT_MS, () => stat(path, { bigint: true }));
    // Includes the change time, because a copy may set the modification time back.
    return [dev, ino, size, mtimeNs, ctimeNs].join('.');
  } catch {
    // The examination will report the reason.
    return 'none';
  }
}
