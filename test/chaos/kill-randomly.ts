import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, uniformBetween } from '../support/platform/seeded-random.ts';
import type { ActivitySignal } from './activity-signal.ts';
import type { Installation } from './installation.ts';
import type { ManagedProcess } from './managed-process.ts';

export interface Kills {
  api: number;
  worker: number;
  /** How often connections were cut, and how many in total. */
  cuts: number;
  connections: number;
}

const DOWN_MS = [0, 1_500] as const;
const CUT_INTERVAL_SECONDS = [3, 8] as const;

/** The share of kills within `AIMED_MS` after a request, when they do the most harm. The others come at any time. */
const AIMED_SHARE = 0.7;
const AIMED_MS = [0, 500] as const;
const MAX_AIM_MS = 2_000;

/**
 * Kills and restarts processes until the signal aborts. Resolves when every process runs again.
 *
 * @param activity emits when a request is sent
 */
export async function killRandomly(
  installation: Installation,
  random: Random,
  activity: ActivitySignal,
  signal: AbortSignal,
): Promise<Kills> {
  const kills: Kills = { api: 0, worker: 0, cuts: 0, connections: 0 };
  const restarts: Promise<void>[] = [];
  const repeatEvery = async ([low, high]: readonly [number, number], act: () => Promise<void>): Promise<void> => {
    for (;;) {
      await sleep(uniformBetween(random, low, high) * 1_000, null, { signal }).catch(() => undefined);
      if (!signal.aborted && random() < AIMED_SHARE) {
        await activity.next(MAX_AIM_MS);
        await sleep(uniformBetween(random, ...AIMED_MS));
      }
      if (signal.aborted) return;
      await act();
    }
  };
  const killers = (['api', 'worker'] as const)
    .filter((role) => installation.processes.some((process) => process.role === role))
    .map((role) =>
      repeatEvery(installation.killIntervals[role], async () => {
        const running = installation.processes.filter((process) => process.role === role && process.isUp);
        const victim = running[Math.floor(random() * running.length)];
        if (!victim) return;
        kills[role] += 1;
        await victim.kill9();
        restarts.push(restart(victim, random));
      }),
    );
  const { cutConnections } = installation;
  const cutter =
    cutConnections &&
    repeatEvery(CUT_INTERVAL_SECONDS, async () => {
      kills.cuts += 1;
      kills.connections += await cutConnections();
    });
  await Promise.all([...killers, cutter]);
  await Promise.all(restarts);
  return kills;
}

async function restart(process: ManagedProcess, random: Random): Promise<void> {
  await sleep(uniformBetween(random, ...DOWN_MS));
  await process.start();
}
