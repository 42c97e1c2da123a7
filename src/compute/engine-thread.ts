// The start of the engine's thread: it plans, pools and judges, and lets its own threads fit. So the thread that asked
// stays free, however long the series is.

import { parentPort, workerData } from 'node:worker_threads';
import { forecast, type Progress } from '../engine/index.ts';
import { type EngineCommand, type EngineReport, type EngineThreadData, writeError } from './engine-messages.ts';
import { startFitThreads } from './fit-threads.ts';
import { timeFits } from './fit-times.ts';
import { TotoClient } from './toto/toto-client.ts';
import { withToto } from './toto/with-toto.ts';

const { threads, totoPort } = workerData as EngineThreadData;
const fits = await startFitThreads(threads, () => report({ kind: 'replaced' }));
const client = totoPort && new TotoClient(totoPort);
const running = new Map<number, AbortController>();

parentPort?.on('message', async (command: EngineCommand) => {
  if (command.kind === 'cancel') return running.get(command.id)?.abort();
  const { id, request, toto } = command;
  const { runner, fitted } = timeFits(toto === undefined || client === undefined ? fits : withToto(fits, client, toto));
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const onProgress = (progress: Progress): void => report({ kind: 'progress', id, progress });
    const result = await forecast(request, { runner, signal: controller.signal, onProgress });
    report({ kind: 'fitted', id, models: fitted() });
    report({ kind: 'done', id, result });
  } catch (error) {
    report({ kind: 'fitted', id, models: fitted() });
    report({ kind: 'failed', id, error: writeError(error) });
  } finally {
    running.delete(id);
  }
});
report({ kind: 'ready', models: fits.models });

function report(message: EngineReport): void {
  parentPort?.postMessage(message);
}
