import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom, type Random, uniformBetween } from '../../support/platform/seeded-random.ts';
import { DATABASE_FAULTS, SHORT_DATABASE_FAULTS } from './database-faults.ts';
import type { Fault, FaultContext } from './fault.ts';
import type { FaultLog } from './fault-log.ts';
import type { HostScene } from './scene.ts';
import { SERVICE_FAULTS } from './service-faults.ts';

export interface FaultPlan {
  /** The range of seconds between two faults of a stream. */
  readonly pauseSeconds: readonly [number, number];
  readonly databaseFaults: readonly Fault[];
}

export const LONG_PLAN: FaultPlan = { pauseSeconds: [2, 12], databaseFaults: DATABASE_FAULTS };
export const SHORT_PLAN: FaultPlan = { pauseSeconds: [1, 4], databaseFaults: SHORT_DATABASE_FAULTS };

/**
 * Injects faults until the signal aborts: two streams for the services and the pooler, one for the database. Resolves when
 * everything is healed.
 */
export async function injectFaults(
  scene: HostScene,
  log: FaultLog,
  random: Random,
  { pauseSeconds, databaseFaults }: FaultPlan,
  signal: AbortSignal,
): Promise<void> {
  const held = new Set<string>();
  const stream = async (faults: readonly Fault[]): Promise<void> => {
    // A generator of its own, so that the timing of other streams does not change its choices.
    const own = createSeededRandom(Math.floor(random() * 2 ** 32));
    const context: FaultContext = { scene, log, random: own, held, signal };
    for (;;) {
      // Every fault comes once before any comes again.
      for (const fault of shuffle(faults, own)) {
        const seconds = uniformBetween(own, ...pauseSeconds);
        await sleep(seconds * 1_000, null, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        await fault(context);
      }
    }
  };
  await Promise.all([stream(SERVICE_FAULTS), stream(SERVICE_FAULTS), stream(databaseFaults)]);
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
