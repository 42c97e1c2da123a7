import { setTimeout as sleep } from 'node:timers/promises';
import { between, type Random } from '../soak/random.ts';
import type { Bell } from './bell.ts';
import type { Member } from './member.ts';
import type { Scene } from './scene.ts';

export interface Kills {
  api: number;
  worker: number;
  /** Times that connections were cut, and how many they were. */
  cuts: number;
  connections: number;
}

const DOWN_MS = [0, 1_500] as const;
const CUT_EVERY_SECONDS = [3, 8] as const;

/** Most kills come this soon after a request was sent, where they hurt; the others at any moment. */
const AIMED_SHARE = 0.7;
const AIMED_MS = [0, 500] as const;
const AIMING_MS = 2_000;

/**
 * Kills and restarts until the signal comes. Resolves when everything is up again.
 * @param busy rings when a request is sent
 */
export async function killAtRandom(scene: Scene, random: Random, busy: Bell, signal: AbortSignal): Promise<Kills> {
  const kills: Kills = { api: 0, worker: 0, cuts: 0, connections: 0 };
  const restarts: Promise<void>[] = [];
  const every = async ([low, high]: readonly [number, number], act: () => Promise<void>): Promise<void> => {
    for (;;) {
      await sleep(between(random, low, high) * 1_000, null, { signal }).catch(() => undefined);
      if (!signal.aborted && random() < AIMED_SHARE) {
        await busy.next(AIMING_MS);
        await sleep(between(random, ...AIMED_MS));
      }
      if (signal.aborted) return;
      await act();
    }
  };
  const killers = (['api', 'worker'] as const)
    .filter((role) => scene.members.some((member) => member.role === role))
    .map((role) =>
      every(scene.killEvery[role], async () => {
        const up = scene.members.filter((member) => member.role === role && member.isUp);
        const victim = up[Math.floor(random() * up.length)];
        if (!victim) return;
        kills[role] += 1;
        await victim.kill9();
        restarts.push(restart(victim, random));
      }),
    );
  const { cutConnections } = scene;
  const cutter =
    cutConnections &&
    every(CUT_EVERY_SECONDS, async () => {
      kills.cuts += 1;
      kills.connections += await cutConnections();
    });
  await Promise.all([...killers, cutter]);
  await Promise.all(restarts);
  return kills;
}

async function restart(member: Member, random: Random): Promise<void> {
  await sleep(between(random, ...DOWN_MS));
  await member.start();
}
