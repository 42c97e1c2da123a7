// Entry point of the engine's thread. It plans, pools and validates forecasts, and starts its own threads to fit
// models, so that the thread that requested a forecast is not blocked.

import { parentPort, workerData } from 'node:worker_threads';
import type { Progress } from '../engine/index.ts';
import { loadEngine } from './engines/engine-module.ts';
import { startFitThreads, timeFits } from './fit-threads.ts';
import { type EngineCommand, type EngineReport, type EngineThreadData, serializeError } from './thread-messages.ts';
import { TotoClient, withToto } from './toto/toto-client.ts';

const { totoPort, bundle } = workerData as EngineThreadData;
const { forecast } = await loadEngine(bundle);
// Starts with one thread, which loads the models. Each forecast states how many threads may be busy.
const fitThreads = await startFitThreads(1, () => report({ kind: 'replaced' }), bundle);
const toto = totoPort && new TotoClient(totoPort);
const running = new Map<number, AbortController>();

parentPort?.on('message', async (command: EngineCommand) => {
  if (command.kind === 'cancel') return running.get(command.id)?.abort();
  const { id, request, threads, toto: checkpoint } = command;
  fitThreads.setLimit(threads);
  const hasToto = checkpoint !== undefined && toto !== undefined;
  const { runner, fitted } = timeFits(hasToto ? withToto(fitThreads, toto, checkpoint) : fitThreads);
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const onProgress = (progress: Progress): void => report({ kind: 'progress', id, progress });
    const result = await forecast(request, { runner, signal: controller.signal, onProgress });
    report({ kind: 'fitted', id, models: fitted() });
    report({ kind: 'done', id, result });
  } catch (error) {
    report({ kind: 'fitted', id, models: fitted() });
    report({ kind: 'failed', id, error: serializeError(error) });
  } finally {
    running.delete(id);
  }
});
report({ kind: 'ready', models: fitThreads.models });

function report(message: EngineReport): void {
  parentPort?.postMessage(message);
}
