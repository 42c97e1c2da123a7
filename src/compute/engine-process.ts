// Entry point of the engine's process. It plans, pools and validates forecasts, and starts threads that fit models. A
// crash of a native library ends this process, and not the service that started it.

import { readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { cpuUsage } from 'node:process';
import type { Progress } from '../engine/index.ts';
import { type EngineCommand, type EngineReport, type EngineSettings, serializeError } from './engine-messages.ts';
import { loadEngine } from './engines/engine-module.ts';
import { startFitThreads, timeFits } from './fit-threads.ts';
import { TotoClient, withToto } from './toto/toto-client.ts';

stayUntilParentEnds();
yieldToRequests();
process.once('message', (settings: EngineSettings) => {
  setInterval(() => report({ kind: 'alive' }), settings.aliveMs);
  start(settings).catch((error) => {
    process.send?.({ kind: 'broken', error: serializeError(error) } satisfies EngineReport, () => process.exit(1));
  });
});

async function start({ folders, bundle }: EngineSettings): Promise<void> {
  const { forecast } = await loadEngine(bundle);
  // Starts with one thread, which loads the models. Each forecast states how many threads may be busy.
  const fitThreads = await startFitThreads(1, () => report({ kind: 'replaced' }), bundle);
  const toto = folders && new TotoClient(folders, bundle);
  const running = new Map<number, AbortController>();

  process.on('message', async (command: EngineCommand) => {
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
      report({ kind: 'fitted', id, models: fitted(), cpuMs: cpuMs() });
      report({ kind: 'done', id, result });
    } catch (error) {
      report({ kind: 'fitted', id, models: fitted(), cpuMs: cpuMs() });
      report({ kind: 'failed', id, error: serializeError(error) });
    } finally {
      running.delete(id);
    }
  });
  report({ kind: 'ready', models: fitThreads.models });
}

function report(message: EngineReport): void {
  // An error means that the parent has ended, so that the report is not needed.
  process.send?.(message, () => undefined);
}

function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Ends the process when its parent has ended, also after SIGKILL. A signal to the whole group, such as that of Ctrl-C, is
 * for the parent, which may let forecasts complete before it stops.
 */
function stayUntilParentEnds(): void {
  // `process.exit` would wait for a run of onnxruntime.
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', end);
  if (!process.connected) end();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

/**
 * Lowers the priority of all threads, so that on a busy machine those that answer requests run first. Threads that start
 * later have the priority of the one that starts them. If memory is short, Linux ends this process first.
 */
function yieldToRequests(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    // Linux applies this to one thread, although the function is meant for processes.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), PRIORITY_BELOW_NORMAL);
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Other systems have no such files, and forecasts run as well without it.
  }
}
