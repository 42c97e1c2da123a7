import { availableParallelism } from 'node:os';
import type { Engine, ModelCheckpoints } from '../../compute/index.ts';
import { count, type Log, type Queue, type QueueDefinition } from '../../platform/index.ts';
import type { StampPolicy } from '../../provenance/index.ts';
import type { SnapshotContext } from '../../snapshots/index.ts';
import { FORECAST_QUEUE } from '../context.ts';
import { failForecast } from '../forecast-state.ts';
import type { ForecastFailure } from '../tables.ts';
import { type ForecastJob, runForecast } from './run-forecast.ts';

const DEAD_LETTER_QUEUE = 'forecasts-lost';
const LIMIT_MS = 10 * 60_000;

/** A forecast gets three attempts. After the last one, the worker of the dead-letter queue fails it with a code. */
export const FORECAST_QUEUES: readonly QueueDefinition[] = [
  { name: DEAD_LETTER_QUEUE, retryLimit: 10, retryDelaySeconds: 5 },
  {
    name: FORECAST_QUEUE,
    retryLimit: 2,
    retryDelaySeconds: 1,
    heartbeatSeconds: 15,
    // Longer than the time limit after which an attempt ends itself.
    expireInSeconds: (2 * LIMIT_MS) / 1000,
    deadLetter: DEAD_LETTER_QUEUE,
  },
];

const WORKER_LOST: ForecastFailure = {
  code: 'WORKER_LOST',
  message: 'The forecast failed after three attempts: each time its worker stopped or broke.',
  retryable: true,
};

export interface ForecastWorker {
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
  await context.queue.work<ForecastJob>(FORECAST_QUEUE, { concurrency }, async (job) => {
    await runForecast({ ...context, engine: await engine.get(), limitMs: LIMIT_MS }, job);
  });
  await context.queue.work<ForecastJob>(DEAD_LETTER_QUEUE, {}, async ({ data }) => {
    const isFailed = await context.database.transaction((tx) =>
      failForecast(tx, data.forecast_id, WORKER_LOST, context.clock.now()),
    );
    if (isFailed) count('forecasts_failed_total', { code: WORKER_LOST.code });
  });
  return { close: engine.close };
}

interface SharedEngine {
  /** Returns the engine. It starts when it is first needed, and again after its threads have ended. */
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
    const starting = start();
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
