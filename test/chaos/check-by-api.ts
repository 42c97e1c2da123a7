import { callAny } from './call-any.ts';
import type { Outcome } from './place-orders.ts';
import type { Scene } from './scene.ts';

/** Reads every acknowledged forecast, as its customer would. */
export async function checkByApi(scene: Scene, outcomes: readonly Outcome[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { order, ids } of outcomes) {
    for (const id of ids) {
      const answer = await callAny(scene, `/ensemble-forecasts/${id}`);
      const { status, predictions } = (answer?.data ?? {}) as { status?: string; predictions?: unknown[] };
      const isThere = status === 'completed' ? (predictions?.length ?? 0) > 0 : status === 'failed';
      if (!isThere)
        faults.push(`${order.title}: read as ${answer?.status} ${status}, ${predictions?.length} predictions`);
    }
  }
  return faults;
}
