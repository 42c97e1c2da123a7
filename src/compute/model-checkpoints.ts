import { checkCheckpoint, ENGINE_VERSION, MODEL_CATALOGUE } from '../engine/index.ts';
import type { Log } from '../platform/index.ts';
import { CHECKPOINT_MODELS, type Checkpoint } from './checkpoints/checkpoint.ts';
import { CheckpointError } from './checkpoints/checkpoint-error.ts';
import type { CheckpointFolders } from './checkpoints/folders.ts';
import { defaultCheckpoint, findCheckpoint } from './checkpoints/list-checkpoints.ts';
import { Soundness } from './checkpoints/soundness.ts';
import { damageLog } from './damage-log.ts';

/** What exactly a model runs with. */
export interface ModelCheckpoint {
  readonly id: string;
  /** Of the weights; null where the model is part of the engine. */
  readonly sha256: string | null;
  readonly source: string;
  /** Null where nobody said. */
  readonly licence: string | null;
}

/** A checkpoint that a forecast needs and that cannot be used here. */
export interface MissingCheckpoint {
  readonly model: string;
  readonly id: string;
}

/** Which checkpoints are here. Looked up each time: one may be installed while the service runs. */
export interface ModelCheckpoints {
  /**
   * By model the checkpoint that a new forecast takes. A model that is not there cannot run. Damaged ones are passed
   * over, unless one was chosen by its id: then there is no other.
   */
  current(): Promise<ReadonlyMap<string, ModelCheckpoint>>;
  /** Of the checkpoints of a forecast, by model, those that are not here or damaged. None is ever replaced by another. */
  missing(wanted: Readonly<Record<string, string>>): Promise<MissingCheckpoint[]>;
  /** Of the checkpoints of a forecast that are here, by model, the licence; null: nobody has said it. */
  licences(wanted: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string | null>>;
}

export interface ModelCheckpointOptions {
  /** The id of its checkpoint for new forecasts; left out: the newest. */
  readonly toto?: string | undefined;
  /** Told of damaged checkpoints, once of each. */
  readonly log: Pick<Log, 'warn'>;
}

const ENGINE: ModelCheckpoint = {
  id: `engine-${ENGINE_VERSION}`,
  sha256: null,
  source: 'engine',
  licence: 'Apache-2.0',
};

export function openModelCheckpoints(
  folders: CheckpointFolders,
  { toto, log }: ModelCheckpointOptions,
): ModelCheckpoints {
  const damage = damageLog(log);
  const soundness = new Soundness({
    check: checkCheckpoint,
    onDamaged: ({ folder }, problem) => damage.note(folder, problem),
  });
  const isSound = (checkpoint: Checkpoint): Promise<boolean> => soundness.isSound(checkpoint);

  const currentToto = async (): Promise<Checkpoint | null> => {
    try {
      const onBroken = ({ folder, problem }: { folder: string; problem: string }) => damage.note(folder, problem);
      return await defaultCheckpoint(folders, 'toto', { wanted: toto, isSound, onBroken });
    } catch (error) {
      // The other models need no files, so a folder that cannot be read must not stop them.
      if (!(error instanceof CheckpointError)) throw error;
      damage.note(folders.installed, error.message);
      return null;
    }
  };
  const isHere = async (model: string, id: string): Promise<boolean> => {
    if (!hasFiles(model)) return id === ENGINE.id && MODEL_CATALOGUE.some((one) => one.id === model);
    const found = await findCheckpoint(folders, id);
    return found?.model === model && (await isSound(found));
  };
  return {
    async current() {
      const checkpoint = await currentToto();
      const inCatalogue = MODEL_CATALOGUE.map(({ id }) => [id, hasFiles(id) ? checkpoint : ENGINE] as const);
      return new Map(inCatalogue.flatMap(([id, found]) => (found === null ? [] : [[id, found]])));
    },
    async missing(wanted) {
      const looked = await Promise.all(
        Object.entries(wanted).map(async ([model, id]) => ((await isHere(model, id)) ? [] : [{ model, id }])),
      );
      return looked.flat();
    },
    async licences(wanted) {
      const looked = await Promise.all(
        Object.entries(wanted).map(async ([model, id]) => {
          const found = hasFiles(model) ? await findCheckpoint(folders, id) : ENGINE;
          return found === null ? [] : [[model, found.licence] as const];
        }),
      );
      return new Map(looked.flat());
    },
  };
}

function hasFiles(model: string): boolean {
  return CHECKPOINT_MODELS.some((one) => one === model);
}
