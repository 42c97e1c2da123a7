import { setTimeout as sleep } from 'node:timers/promises';
import { callAny } from './call-any.ts';
import type { Scene } from './scene.ts';

/** A job whose worker was killed is noticed when its heartbeat has run out, three times over at worst. */
const LONGEST_MS = 180_000;

/** Waits until nothing waits or runs. @returns the seconds that it took; null: it did not come to that */
export async function settle(scene: Scene): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < LONGEST_MS) {
    if (!(await hasAny(scene, 'queued')) && !(await hasAny(scene, 'running')))
      return (performance.now() - began) / 1000;
    await sleep(500);
  }
  return null;
}

async function hasAny(scene: Scene, status: string): Promise<boolean> {
  const answer = await callAny(scene, `/ensemble-forecasts?status=${status}&limit=1`);
  return answer === null || (answer.data.forecasts as unknown[] | undefined)?.length !== 0;
}
