import { availableParallelism } from 'node:os';
import type { Engine, ModelCheckpoints } from '../../compute/index.ts';
import { count, type Log, type Queue, untraced } from '../../platform/index.ts';
import type { StampPolicy } from '../../provenance/index.ts';
import type { SnapshotContext } from '../../snapshots/index.ts';
import { DEAD_LETTER_QUEUE, forecastQueue, LIMIT_MS } from '../forecast-queues.ts';
import { failForecast } from '../forecast-state.ts';
import { createQueueTurns } from '../queue-order.ts';
import type { ForecastFailure } from '../tables.ts';
import { type ForecastJob, runForecast } from './run-forecast.ts';
import { reportPresence } from './worker-presence.ts';

const WORKER_LOST: ForecastFailure = {
  code: 'WORKER_LOST',
  message: 'The forecast failed after three attempts: each time its worker stopped or broke.',
  retryable: true,
};

export interface ForecastWorker {
  /** Reports that this process takes no more forecasts. Call it before the queue stops. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Starts running forecasts in this process. The engine starts with the first forecast. */
export async function startForecastWorker(
  context: SnapshotContext & {
    readonly queue: Queue;
    readonly log: Log;
    readonly checkpoints: ModelCheckpoints;
    readonly stamps: StampPolicy;
  },
  startEngine: () => Promise<Engine>,
): Promise<ForecastWorker> {
  const engine = shareEngine(startEngine);
  const concurrency = Math.max(1, Math.ceil(availableParallelism() / 2));
  const { present } = context.checkpoints.engines;
  const queue = forecastQueue(present);
  const turns = createQueueTurns(context, queue);
  await context.queue.work<ForecastJob>(queue, { concurrency }, async (job) => {
    // A forecast must not fail because the order of the others could not be changed.
    await turns.take().catch((error) => context.log.warn({ err: error }, 'the next forecast could not be chosen'));
    await runForecast({ ...context, engine: await engine.get(), limitMs: LIMIT_MS }, job);
  });
  await context.queue.work<ForecastJob>(DEAD_LETTER_QUEUE, {}, async ({ data }) => {
    const isFailed = await context.database.transaction((tx) =>
      failForecast(tx, data.forecast_id, WORKER_LOST, context.clock.now()),
    );
    if (isFailed) count('forecasts_failed_total', { code: WORKER_LOST.code });
  });
  const presence = await reportPresence(context);
  return {
    leave: presence.end,
    close: async () => {
      await presence.end();
      await engine.close();
    },
  };
}

interface SharedEngine {
  /** Returns the engine. It starts when it is first needed, and again after its process has ended. */
  get(): Promise<Engine>;
  close(): Promise<void>;
}

/**
 * Shares one engine among the forecasts of a process. A forecast that breaks the engine must not cause later forecasts
 * to fail.
 */
export function shareEngine(start: () => Promise<Engine>): SharedEngine {
  let current: Promise<Engine> | undefined;
  const startNew = (): Promise<Engine> => {
    count('engine_starts_total', {});
    // It outlives the forecast that needs it first.
    const starting = untraced(start);
    current = starting;
    starting.catch(() => forget(starting));
    return starting;
  };
  const forget = (engine: Promise<Engine>): void => {
    if (current === engine) current = undefined;
  };
  return {
    async get() {
      const known = current;
      if (known === undefined) return startNew();
      const engine = await known;
      if (engine.isOpen()) return engine;
      forget(known);
      return current ?? startNew();
    },
    async close() {
      await (await current?.catch(() => undefined))?.close();
    },
  };
}
