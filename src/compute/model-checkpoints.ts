import { basename } from 'node:path';
import { checkCheckpoint, ENGINE_VERSION, MODEL_CATALOG } from '../engine/index.ts';
import type { Log } from '../platform/index.ts';
import {
  CHECKPOINT_MODELS,
  type Checkpoint,
  CheckpointError,
  type CheckpointFolders,
} from './checkpoints/checkpoint.ts';
import { defaultCheckpoint, findCheckpoint } from './checkpoints/list-checkpoints.ts';
import { CheckpointSoundness } from './checkpoints/soundness.ts';

/** The exact checkpoint that a model runs with. */
export interface ModelCheckpoint {
  readonly id: string;
  /** The hash of the weights; null for a model that is part of the engine. */
  readonly sha256: string | null;
  readonly source: string;
  /** Null if no license is stated. */
  readonly license: string | null;
}

/** A checkpoint that a forecast needs but that this machine cannot use. */
export interface MissingCheckpoint {
  readonly model: string;
  readonly id: string;
}

/**
 * The checkpoints of this machine. The folders are read for each call, because a checkpoint may be installed while the
 * service runs.
 */
export interface ModelCheckpoints {
  /**
   * Returns the checkpoint of each model for new forecasts. A model without a checkpoint cannot run. Damaged
   * checkpoints are skipped; a checkpoint that was chosen by its id is not replaced by another.
   */
  current(): Promise<ReadonlyMap<string, ModelCheckpoint>>;
  /**
   * Returns which checkpoints of a forecast, given by model, are absent or damaged. They are not replaced by others.
   */
  missing(needed: Readonly<Record<string, string>>): Promise<MissingCheckpoint[]>;
  /**
   * Returns the license of each checkpoint of a forecast, by model; null if none is stated. Absent checkpoints are
   * omitted.
   */
  licenses(needed: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string | null>>;
}

export interface ModelCheckpointOptions {
  /** The id of Toto's checkpoint for new forecasts. Default: the newest one. */
  readonly toto?: string | undefined;
  /** Receives one warning for each damaged checkpoint. */
  readonly log: Pick<Log, 'warn'>;
}

const ENGINE: ModelCheckpoint = {
  id: `engine-${ENGINE_VERSION}`,
  sha256: null,
  source: 'engine',
  license: 'Apache-2.0',
};

export function openModelCheckpoints(
  folders: CheckpointFolders,
  { toto, log }: ModelCheckpointOptions,
): ModelCheckpoints {
  const damage = damageLog(log);
  const soundness = new CheckpointSoundness({
    check: checkCheckpoint,
    onDamaged: ({ folder }, problem) => damage.report(folder, problem),
  });
  const isSound = (checkpoint: Checkpoint): Promise<boolean> => soundness.isSound(checkpoint);

  const currentToto = async (): Promise<Checkpoint | null> => {
    try {
      const onBroken = ({ folder, problem }: { folder: string; problem: string }) => damage.report(folder, problem);
      return await defaultCheckpoint(folders, 'toto', { chosenId: toto, isSound, onBroken });
    } catch (error) {
      // The other models need no files, so a folder that cannot be read must not stop them.
      if (!(error instanceof CheckpointError)) throw error;
      damage.report(folders.installed, error.message);
      return null;
    }
  };
  const isUsable = async (model: string, id: string): Promise<boolean> => {
    if (!hasFiles(model)) return id === ENGINE.id && MODEL_CATALOG.some((one) => one.id === model);
    const found = await findCheckpoint(folders, id);
    return found?.model === model && (await isSound(found));
  };
  return {
    async current() {
      const checkpoint = await currentToto();
      const inCatalog = MODEL_CATALOG.map(({ id }) => [id, hasFiles(id) ? checkpoint : ENGINE] as const);
      return new Map(inCatalog.flatMap(([id, found]) => (found === null ? [] : [[id, found]])));
    },
    async missing(needed) {
      const missing = await Promise.all(
        Object.entries(needed).map(async ([model, id]) => ((await isUsable(model, id)) ? [] : [{ model, id }])),
      );
      return missing.flat();
    },
    async licenses(needed) {
      const licenses = await Promise.all(
        Object.entries(needed).map(async ([model, id]) => {
          const found = hasFiles(model) ? await findCheckpoint(folders, id) : ENGINE;
          return found === null ? [] : [[model, found.license] as const];
        }),
      );
      return new Map(licenses.flat());
    },
  };
}

function hasFiles(model: string): boolean {
  return CHECKPOINT_MODELS.some((one) => one === model);
}

interface DamageLog {
  report(folder: string, problem: string): void;
}

/** Warns once about each damaged checkpoint, and not again for every request that skips it. */
function damageLog(log: Pick<Log, 'warn'>): DamageLog {
  const reported = new Map<string, string>();
  return {
    report(folder, problem) {
      if (reported.get(folder) === problem) return;
      reported.set(folder, problem);
      const remedy = 'remove its folder or install it again with "almanac models pull"';
      log.warn({ checkpoint: basename(folder), folder, problem }, `a damaged checkpoint is skipped; ${remedy}`);
    },
  };
}
