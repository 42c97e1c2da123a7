import type { CheckFiles, Checkpoint } from './checkpoint.ts';
import { CheckpointError } from './checkpoint-error.ts';
import { fileIdentity } from './file-identity.ts';
import { readCheckpointFiles } from './read-checkpoint-files.ts';

export interface SoundnessOptions {
  readonly check: CheckFiles;
  /** Told of each time that a checkpoint was looked into and found damaged. */
  readonly onDamaged: (checkpoint: Checkpoint, problem: string) => void;
}

interface Judged {
  readonly identity: string;
  readonly isSound: Promise<boolean>;
}

/**
 * Which checkpoints can be used. Each is hashed and checked once, and again when its files are others: to do so for each
 * request would cost more than its forecast. Who asks meanwhile waits for the same look.
 */
export class Soundness {
  readonly #check: CheckFiles;
  readonly #onDamaged: SoundnessOptions['onDamaged'];
  /** By folder. */
  readonly #judged = new Map<string, Judged>();

  constructor({ check, onDamaged }: SoundnessOptions) {
    this.#check = check;
    this.#onDamaged = onDamaged;
  }

  async isSound(checkpoint: Checkpoint): Promise<boolean> {
    // Before the files are read: if they change meanwhile, the verdict belongs to an identity that is gone.
    const identity = await fileIdentity(checkpoint);
    const before = this.#judged.get(checkpoint.folder);
    if (before?.identity === identity) return before.isSound;
    const judged = { identity, isSound: this.#judge(checkpoint, () => this.#forget(checkpoint, judged)) };
    this.#judged.set(checkpoint.folder, judged);
    return judged.isSound;
  }

  async #judge(checkpoint: Checkpoint, forget: () => void): Promise<boolean> {
    try {
      this.#check(await readCheckpointFiles(checkpoint));
      return true;
    } catch (error) {
      this.#onDamaged(checkpoint, error instanceof Error ? error.message : String(error));
      // What could not be read may be readable the next time, and still be the same file.
      if (error instanceof CheckpointError && error.code === 'CHECKPOINT_UNAVAILABLE') forget();
      return false;
    }
  }

  #forget({ folder }: Checkpoint, judged: Judged): void {
    if (this.#judged.get(folder) === judged) this.#judged.delete(folder);
  }
}
