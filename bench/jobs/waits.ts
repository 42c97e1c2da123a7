import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../api/statistics.ts';
import { type Kind, startServiceUnderTest, untilCompleted } from './service-under-test.ts';
import { smallRequest } from './small-request.ts';

export interface Waits {
  /**
   * The median waits, measured from `created_at` and from the 202 response. The second is negative if the worker
   * started the forecast before the response.
   */
  readonly fromCreateMs: number;
  readonly fromAnswerMs: number;
  readonly longestMs: number;
}

/** Measures how long a forecast waits for an idle worker. */
export async function measureWaits(kind: Kind, count: number): Promise<Waits> {
  await using tested = await startServiceUnderTest(kind);
  const fromCreate: number[] = [];
  const fromAnswer: number[] = [];
  for (let i = 0; i <= count; i += 1) {
    const { forecast_id } = await tested.call('/ensemble-forecasts', smallRequest(i));
    const answeredAt = Date.now();
    const { created_at, started_at } = await untilCompleted(tested, String(forecast_id));
    const startedAt = Date.parse(String(started_at));
    // The first forecast starts the engine, so it is not counted.
    if (i > 0) {
      fromCreate.push(startedAt - Date.parse(String(created_at)));
      fromAnswer.push(startedAt - answeredAt);
    }
    await sleep(100);
  }
  return {
    fromCreateMs: median(fromCreate),
    fromAnswerMs: median(fromAnswer),
    longestMs: Math.max(...fromCreate),
  };
}
