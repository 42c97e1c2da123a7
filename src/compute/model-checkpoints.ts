import { basename } from 'node:path';
import { MODEL_CATALOG } from '../engine/index.ts';
import { type Log, ThreadPool } from '../platform/index.ts';
import {
  CHECKPOINT_MODELS,
  type Checkpoint,
  CheckpointError,
  type CheckpointFiles,
  type CheckpointFolders,
} from './checkpoints/checkpoint.ts';
import { defaultCheckpoint, findCheckpoint } from './checkpoints/list-checkpoints.ts';
import { CheckpointSoundness } from './checkpoints/soundness.ts';
import { type EngineBundles, openEngineBundles } from './engines/engine-bundles.ts';

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
  /** Whether it is the checkpoint of an engine whose bundle is recorded here but damaged. */
  readonly isDamagedEngine?: true;
}

/**
 * The checkpoints of this machine. The folders are read for each call, because a checkpoint may be installed while the
 * service runs.
 */
export interface ModelCheckpoints {
  /** The versions of the engine that can run here. */
  readonly engines: EngineBundles;
  /**
   * Returns the checkpoint of each model for new forecasts. A model without a checkpoint cannot run. Damaged
   * checkpoints are skipped; a checkpoint that was chosen by its id is not replaced by another.
   */
  current(): Promise<ReadonlyMap<string, ModelCheckpoint>>;
  /**
   * Returns which checkpoints of a forecast, given by model, are absent or damaged. They are not replaced by others.
   *
   * @param engine the version of the engine that the forecast names; it may be that of no checkpoint
   */
  missing(needed: Readonly<Record<string, string>>, engine?: string | null): Promise<MissingCheckpoint[]>;
  /**
   * Returns the license of each checkpoint of a forecast, by model; null if none is stated. Absent checkpoints are
   * omitted.
   */
  licenses(needed: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string | null>>;
}

export interface ModelCheckpointOptions {
  /** The id of Toto's checkpoint for new forecasts. Default: the newest one. */
  readonly toto?: string | undefined;
  /** Default: the engines of this build. */
  readonly engines?: EngineBundles | undefined;
  /** Receives one warning for each damaged checkpoint. */
  readonly log: Pick<Log, 'warn'>;
}

const LICENSE_OF_ENGINE = 'Apache-2.0';

/** One thread for all checkpoints of the process. It ends when it has been idle. */
const checkThread = new ThreadPool<null, CheckpointFiles, null>(
  new URL('./checkpoints/check-thread.ts', import.meta.url),
  { maxThreads: 1 },
);

async function checkInThread(files: CheckpointFiles): Promise<void> {
  await checkThread.run(null, files);
}

export function openModelCheckpoints(
  folders: CheckpointFolders,
  { toto, log, engines = openEngineBundles() }: ModelCheckpointOptions,
): ModelCheckpoints {
  const engine: ModelCheckpoint = {
    id: engineId(engines.present),
    sha256: null,
    source: 'engine',
    license: LICENSE_OF_ENGINE,
  };
  const damage = damageLog(log);
  const soundness = new CheckpointSoundness({
    check: checkInThread,
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
    if (id === engine.id) return MODEL_CATALOG.some((one) => one.id === model);
    const found = await findCheckpoint(folders, id);
    return found?.model === model && (await isSound(found));
  };
  const examine = async (model: string, id: string): Promise<MissingCheckpoint[]> => {
    const earlier = id === engine.id ? null : engineVersion(id);
    if (earlier === null) return (await isUsable(model, id)) ? [] : [{ model, id }];
    try {
      return (await engines.find(earlier)) === null ? [{ model, id }] : [];
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      damage.reportEngine(earlier, error.message);
      return [{ model, id, isDamagedEngine: true }];
    }
  };
  return {
    engines,
    async current() {
      const checkpoint = await currentToto();
      const inCatalog = MODEL_CATALOG.map(({ id }) => [id, hasFiles(id) ? checkpoint : engine] as const);
      return new Map(inCatalog.flatMap(([id, found]) => (found === null ? [] : [[id, found]])));
    },
    async missing(needed, version = null) {
      const checkpoints = Object.entries(needed);
      // The checkpoint of a model with files does not name the engine that runs it.
      const isNamed = version === null || checkpoints.some(([, id]) => id === engineId(version));
      const runs = isNamed ? [] : checkpoints.map(([model]) => [model, engineId(version)] as const);
      return (await Promise.all([...checkpoints, ...runs].map(([model, id]) => examine(model, id)))).flat();
    },
    async licenses(needed) {
      const licenses = await Promise.all(
        Object.entries(needed).map(async ([model, id]) => {
          const found = hasFiles(model) ? await findCheckpoint(folders, id) : engine;
          return found === null ? [] : [[model, found.license] as const];
        }),
      );
      return new Map(licenses.flat());
    },
  };
}

const ID_PREFIX = 'engine-';

/** Returns the checkpoint of the models that are part of an engine. @example engineId('3') // engine-3 */
export function engineId(version: string): string {
  return `${ID_PREFIX}${version}`;
}

/** Returns the version that the checkpoint of a model names; null if it is a checkpoint with files. */
export function engineVersion(checkpoint: string): string | null {
  return checkpoint.startsWith(ID_PREFIX) ? checkpoint.slice(ID_PREFIX.length) : null;
}

/**
 * Returns the version of the engine that a forecast names: in the checkpoint of a model that is part of the engine, or
 * else as `otherwise`. Returns null if it names none, as before a forecast of Toto alone has run.
 */
export function namedEngine(
  checkpoints: Readonly<Record<string, string>>,
  otherwise: string | null | undefined,
): string | null {
  const [version = otherwise ?? null] = Object.values(checkpoints).flatMap((id) => engineVersion(id) ?? []);
  return version;
}

function hasFiles(model: string): boolean {
  return CHECKPOINT_MODELS.some((one) => one === model);
}

interface DamageLog {
  report(folder: string, problem: string): void;
  reportEngine(version: string, problem: string): void;
}

/** Warns once about each damaged checkpoint, and not again for every request that skips it. */
function damageLog(log: Pick<Log, 'warn'>): DamageLog {
  const reported = new Map<string, string>();
  const isNew = (name: string, problem: string): boolean => {
    if (reported.get(name) === problem) return false;
    reported.set(name, problem);
    return true;
  };
  return {
    report(folder, problem) {
      if (!isNew(folder, problem)) return;
      const remedy = 'remove its folder or install it again with "almanac models pull"';
      log.warn({ checkpoint: basename(folder), folder, problem }, `a damaged checkpoint is skipped; ${remedy}`);
    },
    reportEngine(version, problem) {
      if (!isNew(engineId(version), problem)) return;
      const remedy = 'restore the folder "engines" of this build';
      log.warn({ engine: version, problem }, `forecasts of an earlier engine cannot be reproduced; ${remedy}`);
    },
  };
}
