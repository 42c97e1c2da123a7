import { setTimeout as sleep } from 'node:timers/promises';
import { callAnyApi } from './call-any-api.ts';
import type { Installation } from './installation.ts';

/** The job of a killed worker is retried after its heartbeat has expired, three times at most. */
const TIMEOUT_MS = 180_000;

/** Waits until no forecast is queued or running. Returns the seconds that it took; null: it timed out. */
export async function waitUntilIdle(installation: Installation): Promise<number | null> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < TIMEOUT_MS) {
    if (!(await hasAny(installation, 'queued')) && !(await hasAny(installation, 'running')))
      return (performance.now() - startedAt) / 1000;
    await sleep(500);
  }
  return null;
}

async function hasAny(installation: Installation, status: string): Promise<boolean> {
  const response = await callAnyApi(installation, `/ensemble-forecasts?status=${status}&limit=1`);
  return response === null || (response.data.forecasts as unknown[] | undefined)?.length !== 0;
}
