import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../api/statistics.ts';
import { smallRequest } from '../jobs/small-request.ts';
import type { Caller } from './service.ts';

export interface ReadTimes {
  readonly median: number;
  readonly p90: number;
  readonly worst: number;
  readonly count: number;
}

const SMALL_READS = ['/v1/me/access', '/v1/workspaces', '/v1/ensemble-forecasts?limit=5'];

/** Sends small reads at a steady pace until `isOver`. */
export async function measureReads({ send }: Caller, isOver: () => boolean): Promise<ReadTimes> {
  const times: number[] = [];
  for (let index = 0; !isOver(); index += 1) {
    const { status, ms } = await send(SMALL_READS[index % SMALL_READS.length] as string);
    if (status !== 200) throw new Error(`A small read of the bystander returned ${status}.`);
    times.push(ms);
    await sleep(150);
  }
  const sorted = Float64Array.from(times).sort();
  return {
    median: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    worst: sorted.at(-1) ?? Number.NaN,
    count: times.length,
  };
}

interface ForecastTimes {
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** Sends one small forecast and waits until it has ended. Returns when it was sent, started and finished. */
export async function runSmallForecast({ send }: Caller): Promise<ForecastTimes & { readonly sentAt: number }> {
  const { status, data } = await send('/v1/ensemble-forecasts', smallRequest(7));
  const sentAt = Date.now();
  if (status !== 202) throw new Error(`The small forecast of the bystander returned ${status}.`);
  const path = `/v1/ensemble-forecasts/${data.forecast_id}`;
  for (;;) {
    const { data: forecast } = await send(path);
    if (forecast.status === 'completed') return { sentAt, ...timesOf(forecast) };
    if (forecast.status === 'failed') throw new Error(`The small forecast failed: ${JSON.stringify(forecast.error)}`);
    await sleep(250);
  }
}

/** Counts the forecasts of a caller that started after an instant and before another. */
export async function countStarted({ send }: Caller, after: number, before: number): Promise<number> {
  const { data } = await send('/v1/ensemble-forecasts?limit=100');
  const forecasts = (data.forecasts ?? []) as Record<string, unknown>[];
  return forecasts.map(timesOf).filter(({ startedAt }) => startedAt > after && startedAt < before).length;
}

function timesOf({ started_at, finished_at }: Record<string, unknown>): ForecastTimes {
  return { startedAt: Date.parse(String(started_at)), finishedAt: Date.parse(String(finished_at)) };
}
