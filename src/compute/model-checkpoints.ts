import { ENGINE_VERSION, MODEL_CATALOGUE } from '../forecasting/index.ts';
import { CHECKPOINT_MODELS, type CheckpointFolders, defaultCheckpoint, findCheckpoint } from './checkpoints/index.ts';

/** What exactly a model runs with. */
export interface ModelCheckpoint {
  readonly id: string;
  /** Of the weights; null where the model is part of the engine. */
  readonly sha256: string | null;
  readonly source: string;
  /** Null where nobody said. */
  readonly licence: string | null;
}

/** Which checkpoints are here. Looked up each time: one may be installed while the service runs. */
export interface ModelCheckpoints {
  /** By model the checkpoint that a new forecast takes. A model that is not there cannot run. */
  current(): Promise<ReadonlyMap<string, ModelCheckpoint>>;
  /** Of the checkpoints of a forecast, by model, those that are not here. None is ever replaced by another. */
  missing(wanted: Readonly<Record<string, string>>): Promise<string[]>;
}

const ENGINE: ModelCheckpoint = {
  id: `engine-${ENGINE_VERSION}`,
  sha256: null,
  source: 'engine',
  licence: 'Apache-2.0',
};

/** @param toto the id of its checkpoint for new forecasts; left out: the newest */
export function openModelCheckpoints(folders: CheckpointFolders, toto?: string): ModelCheckpoints {
  return {
    async current() {
      const checkpoint = await defaultCheckpoint(folders, 'toto', toto);
      const inCatalogue = MODEL_CATALOGUE.map(({ id }) => [id, hasFiles(id) ? checkpoint : ENGINE] as const);
      return new Map(inCatalogue.flatMap(([id, found]) => (found === null ? [] : [[id, found]])));
    },
    async missing(wanted) {
      const isHere = async (model: string, id: string): Promise<boolean> =>
        hasFiles(model)
          ? (await findCheckpoint(folders, id))?.model === model
          : id === ENGINE.id && MODEL_CATALOGUE.some((one) => one.id === model);
      const looked = await Promise.all(
        Object.entries(wanted).map(async ([model, id]) => ((await isHere(model, id)) ? [] : [`${model} ${id}`])),
      );
      return looked.flat();
    },
  };
}

function hasFiles(model: string): boolean {
  return CHECKPOINT_MODELS.some((one) => one === model);
}
