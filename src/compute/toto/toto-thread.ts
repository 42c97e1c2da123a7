// Entry point of Toto's thread. Ending a thread in the middle of an onnxruntime run ends the whole process, so this
// thread ends only with its process.

import { parentPort, workerData } from 'node:worker_threads';
import type { Toto } from '../../engine/index.ts';
import { LruCache } from '../../platform/lru-cache.ts';
import { Mutex } from '../../platform/mutex.ts';
import { CHECKPOINT_FAULTS, CheckpointError } from '../checkpoints/checkpoint.ts';
import { findCheckpoint } from '../checkpoints/list-checkpoints.ts';
import { readCheckpointFiles } from '../checkpoints/read-checkpoint-files.ts';
import { loadEngine } from '../engines/engine-module.ts';
import { fitTimeSince } from '../fit-threads.ts';
import type { TotoAnswer, TotoTask, TotoThreadData, UnavailableCheckpoint } from './toto-client.ts';

const { folders, bundle } = workerData as TotoThreadData;
const { ModelError, readCheckpoint, startToto } = await loadEngine(bundle);
/** New forecasts and reproductions of older ones may alternate between two checkpoints. */
const MAX_MODELS = 2;

const models = new LruCache<string, Promise<Toto>>({ maxEntries: MAX_MODELS });
const mutex = new Mutex();

parentPort?.on('message', (request: TotoTask) =>
  mutex.run(async () => parentPort?.postMessage(await runRequest(request))),
);

/** Returns the model of a checkpoint. Loaded models are kept, because loading takes longer than a forecast. */
function modelOf(checkpoint: string): Promise<Toto> {
  const kept = models.get(checkpoint);
  if (kept !== undefined) return kept;
  const model = loadModel(checkpoint);
  models.set(checkpoint, model);
  // A checkpoint that cannot be loaded now may be installed before the next task.
  model.catch(() => models.delete(checkpoint));
  return model;
}

async function loadModel(id: string): Promise<Toto> {
  const checkpoint = await findCheckpoint(folders, id);
  if (checkpoint === null) throw new CheckpointError('CHECKPOINT_UNAVAILABLE', 'it is not installed here');
  // Imported here, because a service without a checkpoint does not need the runtime.
  const { startOnnxSession } = await import('./onnx-session.ts');
  return startToto(readCheckpoint(await readCheckpointFiles(checkpoint)), startOnnxSession);
}

async function runRequest({ id, checkpoint, task, stop }: TotoTask): Promise<TotoAnswer> {
  const flag = {
    get aborted() {
      return Atomics.load(stop, 0) !== 0;
    },
  };
  if (flag.aborted) return { id, outcomes: null };
  let model: Toto;
  try {
    model = await modelOf(checkpoint);
  } catch (error) {
    return { id, unavailable: describeUnavailable(error) };
  }
  const started = performance.now();
  try {
    const outcomes = await model.forecastWindows(task, flag);
    return { id, outcomes, time: fitTimeSince(started) };
  } catch (error) {
    if (error instanceof ModelError && error.code === 'ABORTED') return { id, outcomes: null };
    // A bug in one model must fail only this model and not the forecast.
    const message = error instanceof Error ? error.message : String(error);
    return { id, outcomes: task.windows.map(() => ({ failure: { code: 'CRASHED', message } })) };
  }
}

/**
 * Returns why a checkpoint cannot be used. Details such as paths are for the log and are not part of the reason that
 * the caller sees.
 */
function describeUnavailable(error: unknown): UnavailableCheckpoint {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof CheckpointError) return { reason: CHECKPOINT_FAULTS[error.code], detail };
  return { reason: 'its files make no model that runs here', detail };
}
