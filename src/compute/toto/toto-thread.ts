// The start of the thread in which Toto runs. Ending a thread in the middle of an onnxruntime run ends the whole
// process, so nobody ends this one: it is told to, and does so between two runs.

import { parentPort, workerData } from 'node:worker_threads';
import { ModelError, readCheckpoint, startToto, type Toto } from '../../engine/index.ts';
import { CheckpointError } from '../checkpoints/checkpoint-error.ts';
import { findCheckpoint } from '../checkpoints/list-checkpoints.ts';
import { readCheckpointFiles } from '../checkpoints/read-checkpoint-files.ts';
import { timeSince } from '../fit-times.ts';
import { KeptModels } from './kept-models.ts';
import type { TotoAnswer, TotoRequest, TotoThreadData } from './messages.ts';
import { OneAfterTheOther } from './one-after-the-other.ts';
import { whyUnavailable } from './why-unavailable.ts';

const { folders, port } = workerData as TotoThreadData;
const models = new KeptModels(load);
const turns = new OneAfterTheOther();

port.on('message', (request: TotoRequest) => turns.run(async () => port.postMessage(await answer(request))));
let isEnding = false;
parentPort?.once('message', () => {
  isEnding = true;
  turns.run(async () => process.exit(0));
});

async function load(id: string): Promise<Toto> {
  const checkpoint = await findCheckpoint(folders, id);
  if (checkpoint === null) throw new CheckpointError('CHECKPOINT_UNAVAILABLE', 'it is not installed here');
  // Only now: who has no checkpoint has no use for the runtime.
  const { startOnnxSession } = await import('./onnx-session.ts');
  return startToto(readCheckpoint(await readCheckpointFiles(checkpoint)), startOnnxSession);
}

async function answer({ id, checkpoint, task, stop }: TotoRequest): Promise<TotoAnswer> {
  const flag = {
    get aborted() {
      return isEnding || Atomics.load(stop, 0) !== 0;
    },
  };
  if (flag.aborted) return { id, outcomes: null };
  let model: Toto;
  try {
    model = await models.get(checkpoint);
  } catch (error) {
    return { id, unavailable: whyUnavailable(error) };
  }
  const started = performance.now();
  try {
    const outcomes = await model.forecastWindows(task, flag);
    return { id, outcomes, time: timeSince(started) };
  } catch (error) {
    if (error instanceof ModelError && error.code === 'ABORTED') return { id, outcomes: null };
    // A fault in a model must cost this model, not the forecast.
    const message = error instanceof Error ? error.message : String(error);
    return { id, outcomes: task.windows.map(() => ({ failure: { code: 'CRASHED', message } })) };
  }
}
