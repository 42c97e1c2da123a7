// Entry point of a thread that fits models. It loads every model once and handles one task at a time.

import { parentPort, workerData } from 'node:worker_threads';
import type { FitOutcome } from '../engine/index.ts';
import { loadEngine } from './engines/engine-module.ts';
import { fitTimeSince } from './fit-threads.ts';
import { loadProphetRuntime } from './prophet-runtime.ts';
import type { FitThreadAnswer, FitThreadData, FitThreadReady, FitThreadRequest, FitTime } from './thread-messages.ts';

const { bundle } = workerData as FitThreadData;
const { createModels, fitWindows, MODEL_CATALOG, ModelError } = await loadEngine(bundle);
const prophet = loadProphetRuntime();
const models = createModels({ prophet });

parentPort?.on('message', (request: FitThreadRequest) => {
  const started = performance.now();
  const outcomes = fitTask(request);
  const time = { ...fitTimeSince(started), ...(request.task.model === 'prophet' && countEndedSearches()) };
  parentPort?.postMessage({ outcomes, time } satisfies FitThreadAnswer);
});
const sequentialModels = MODEL_CATALOG.filter(({ reusesEarlierFits }) => reusesEarlierFits).map(({ id }) => id);
parentPort?.postMessage({ models: [...models.keys()], sequentialModels } satisfies FitThreadReady);

let endedBefore = 0;

/** Returns the number of searches that the guard has ended since the last call. */
function countEndedSearches(): Pick<FitTime, 'endedSearches'> {
  const total = prophet.endedSearches();
  const endedSearches = total - endedBefore;
  endedBefore = total;
  return { endedSearches };
}

/** Fits the windows of a task. Returns null if the task was aborted. */
function fitTask({ task, stop }: FitThreadRequest): FitOutcome[] | null {
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
    // A bug in one model must fail only this model and not the forecast.
    const message = error instanceof Error ? error.message : String(error);
    return task.windows.map(() => ({ failure: { code: 'CRASHED', message } }));
  }
}
