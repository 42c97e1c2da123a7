// The start of a thread that fits models: loads each once, then answers one task at a time.

import { parentPort } from 'node:worker_threads';
import { createModels, type FitOutcome, fitWindows, ModelError } from '../engine/index.ts';
import { timed } from './fit-times.ts';
import { loadProphetRuntime } from './prophet-runtime.ts';
import type { ThreadAnswer, ThreadReady, ThreadRequest } from './thread-messages.ts';

const models = createModels({ prophet: loadProphetRuntime() });

parentPort?.on('message', ({ task, stop }: ThreadRequest) => {
  const { result: outcomes, time } = timed(() => answer(task, stop));
  parentPort?.postMessage({ outcomes, time } satisfies ThreadAnswer);
});
parentPort?.postMessage({ models: [...models.keys()] } satisfies ThreadReady);

function answer(task: ThreadRequest['task'], stop: Int32Array): FitOutcome[] | null {
  const model = models.get(task.model);
  const flag = {
    get aborted() {
      return Atomics.load(stop, 0) !== 0;
    },
  };
  try {
    if (model === undefined) throw new RangeError(`There is no model '${task.model}'.`);
    return fitWindows(model, task, flag);
  } catch (error) {
    if (error instanceof ModelError && error.code === 'ABORTED') return null;
    // A fault in a model must cost this model, not the forecast.
    const message = error instanceof Error ? error.message : String(error);
    return task.windows.map(() => ({ failure: { code: 'CRASHED', message } }));
  }
}
