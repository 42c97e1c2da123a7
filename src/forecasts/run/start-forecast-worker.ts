import { availableParallelism } from 'node:os';
import type { Engine, ModelCheckpoints } from '../../compute/index.ts';
import { count, type Log, type Queue, type QueueDefinition } from '../../platform/index.ts';
import type { SnapshotContext } from '../../snapshots/index.ts';
import { FORECAST_QUEUE } from '../context.ts';
import { failForecast } from '../fail-forecast.ts';
import { keepEngine } from './keep-engine.ts';
import { type ForecastJob, runForecast } from './run-forecast.ts';

const LOST_QUEUE = 'forecasts-lost';
const LIMIT_MS = 10 * 60_000;

/** A forecast is tried three times; then it is given up, by name. */
export const FORECAST_QUEUES: readonly QueueDefinition[] = [
  { name: LOST_QUEUE, retryLimit: 10, retryDelaySeconds: 5 },
  {
    name: FORECAST_QUEUE,
    retryLimit: 2,
    retryDelaySeconds: 1,
    heartbeatSeconds: 15,
    // Longer than an attempt takes before it gives up by itself.
    expireInSeconds: (2 * LIMIT_MS) / 1000,
    deadLetter: LOST_QUEUE,
  },
];

export interface ForecastWorker {
  close(): Promise<void>;
}

/** Starts running forecasts in this process. The engine starts with the first of them. */
export async function startForecastWorker(
  context: SnapshotContext & { readonly queue: Queue; readonly log: Log; readonly checkpoints: ModelCheckpoints },
  start: () => Promise<Engine>,
): Promise<ForecastWorker> {
  const engine = keepEngine(start);
  const concurrency = Math.max(1, Math.ceil(availableParallelism() / 2));
  await context.queue.work<ForecastJob>(FORECAST_QUEUE, { concurrency }, async (job) => {
    await runForecast({ ...context, engine: await engine.get(), limitMs: LIMIT_MS }, job);
  });
  await context.queue.work<ForecastJob>(LOST_QUEUE, {}, async ({ data }) => {
    const error = {
      code: 'WORKER_LOST',
      message: 'The forecast was tried three times, and each time its worker was lost or broke.',
      retryable: true,
    };
    const isFailed = await context.database.transaction((tx) =>
      failForecast(tx, data.forecast_id, error, context.clock.now()),
    );
    if (isFailed) count('forecasts_failed_total', { code: error.code });
  });
  return { close: engine.close };
}
