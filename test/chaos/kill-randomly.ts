import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, uniformBetween } from '../support/platform/seeded-random.ts';
import type { ActivitySignal } from './activity-signal.ts';
import type { ManagedProcess } from './managed-process.ts';

/** What is killed, and how often. */
export interface KillPlan {
  readonly processes: readonly ManagedProcess[];
  /** The range of seconds between two kills of processes of a role. */
  readonly killIntervals: Readonly<Record<ManagedProcess['role'], readonly [number, number]>>;
  /** Terminates some connections on the server; null: there are none. */
  readonly cutConnections: (() => Promise<number>) | null;
}

interface Kills {
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
 * Kills and restarts processes until the signal aborts. Resolves when every process runs again, with lines that describe
 * what was done.
 *
 * @param activity emits when a request is sent
 */
export async function killRandomly(
  plan: KillPlan,
  random: Random,
  activity: ActivitySignal,
  signal: AbortSignal,
): Promise<string[]> {
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
    .filter((role) => plan.processes.some((process) => process.role === role))
    .map((role) =>
      repeatEvery(plan.killIntervals[role], async () => {
        const running = plan.processes.filter((process) => process.role === role && process.isUp);
        const victim = running[Math.floor(random() * running.length)];
        if (!victim) return;
        kills[role] += 1;
        await victim.kill9();
        restarts.push(restart(victim, random));
      }),
    );
  const { cutConnections } = plan;
  const cutter =
    cutConnections &&
    repeatEvery(CUT_INTERVAL_SECONDS, async () => {
      kills.cuts += 1;
      kills.connections += await cutConnections();
    });
  await Promise.all([...killers, cutter]);
  await Promise.all(restarts);
  return [describeKills(plan, kills)];
}

function describeKills({ processes, cutConnections }: KillPlan, { api, worker, cuts, connections }: Kills): string {
  const failedStarts = processes.reduce((sum, process) => sum + process.failedStarts, 0);
  const others = cutConnections === null ? '' : `, ${worker} workers, ${connections} connections in ${cuts} cuts`;
  return `killed    ${api} API processes${others}; ${failedStarts} failed starts, which were repeated`;
}

async function restart(process: ManagedProcess, random: Random): Promise<void> {
  await sleep(uniformBetween(random, ...DOWN_MS));
  await process.start();
}
