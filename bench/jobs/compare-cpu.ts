// Runs the same forecasts through the queue and through the engine alone, in turns, in one process.

import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { startEngine } from '../../src/compute/index.ts';
import type { ForecastRequest } from '../../src/engine/index.ts';
import { FORECAST_QUEUE, type ForecastJob, runForecast } from '../../src/forecasts/index.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { median } from '../api/statistics.ts';
import { meterCpu } from '../cpu-time.ts';
import { log, openForecastContext, queueForecasts } from './queue-forecasts.ts';
import { smallRequest } from './small-request.ts';

const [kind, rounds, jobs] = process.argv.slice(2);
const count = Number(jobs);
await using fixture = await openTestDatabase(kind === 'postgres' ? 'postgres' : 'pglite', {
  migrations: MIGRATIONS,
  queue: true,
});
const { database } = fixture;
const context = await openForecastContext(database, { supervise: true });
const cpuMs = meterCpu();
const engine = await startEngine();
const run = { ...context, engine, log, limitMs: 600_000 };

// Jobs wait at this gate until all jobs of a round are queued, so that the time for creating them is not counted.
let gate = Promise.withResolvers<void>();
let ended = Promise.withResolvers<void>();
let left = 0;
await context.queue.work<ForecastJob>(FORECAST_QUEUE, {}, async (job) => {
  await gate.promise;
  await runForecast(run, job);
  left -= 1;
  if (left === 0) ended.resolve();
});

const direct: number[] = [];
const queued: number[] = [];
// The first round warms up.
for (let round = 0; round <= Number(rounds); round += 1) {
  gate = Promise.withResolvers();
  ended = Promise.withResolvers();
  left = count;
  await queueForecasts(context, count);
  const viaQueue = await cpuPerJob(async () => {
    gate.resolve();
    await ended.promise;
  });
  const requests = await engineRequests();
  const alone = await cpuPerJob(async () => {
    for (const request of requests) await engine.forecast(request);
  });
  if (round > 0) {
    queued.push(viaQueue);
    direct.push(alone);
  }
}
await context.queue.stop();
await engine.close();
process.send?.({ directMs: median(direct), queuedMs: median(queued) });
if (process.connected) process.disconnect();

async function cpuPerJob(work: () => Promise<void>): Promise<number> {
  const before = cpuMs();
  await work();
  return (cpuMs() - before) / count;
}

/** Returns the requests of the queue, with their stored settings. */
async function engineRequests(): Promise<ForecastRequest[]> {
  const { rows } = await sql<{ settings: Omit<ForecastRequest, 'weights'> }>`
    SELECT settings FROM forecast WHERE status = 'completed' LIMIT 1`.execute(database.query());
  const settings = rows[0]?.settings;
  if (!settings) throw new Error('No forecast was completed.');
  return Array.from({ length: count }, (_, i) => {
    const { points } = smallRequest(i).source;
    return {
      ...settings,
      weights: undefined,
      timestamps: Float64Array.from(points, ({ timestamp }) => Date.parse(timestamp)),
      values: Float64Array.from(points, ({ value }) => value),
    };
  });
}
