import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, uniformBetween } from '../../support/platform/seeded-random.ts';
import type { FaultLog } from './fault-log.ts';
import type { HostScene } from './scene.ts';
import type { ServiceHost } from './service-host.ts';

/** What a fault needs. */
export interface FaultContext {
  readonly scene: HostScene;
  readonly log: FaultLog;
  readonly random: Random;
  /** Names of hosts that another fault holds. */
  readonly held: Set<string>;
  /** Aborts when everything must be healed. */
  readonly signal: AbortSignal;
}

/** Injects a fault and heals it. Does nothing if no host is free for it. */
export type Fault = (context: FaultContext) => Promise<void>;

/** Waits for a random number of seconds, or until everything must be healed. Returns the seconds. */
export async function lasting({ signal }: FaultContext, seconds: number): Promise<void> {
  await sleep(seconds * 1_000, null, { signal }).catch(() => undefined);
}

export function secondsBetween({ random }: FaultContext, low: number, high: number): number {
  return Math.round(uniformBetween(random, low, high) * 10) / 10;
}

export function pick<Item>({ random }: FaultContext, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Runs an action with a random service host that no other fault holds. */
export async function withServiceHost(
  context: FaultContext,
  isSuitable: (one: ServiceHost) => boolean,
  act: (one: ServiceHost) => Promise<void>,
): Promise<void> {
  const { scene, held } = context;
  const chosen = pick(
    context,
    scene.services.filter((one) => !held.has(one.host.name) && one.process.isUp && isSuitable(one)),
  );
  if (chosen === undefined) return;
  await holding(context, chosen.host.name, () => act(chosen));
}

/** Runs an action while no other fault can hold the host. */
export async function holding({ held }: FaultContext, name: string, act: () => Promise<void>): Promise<void> {
  if (held.has(name)) return;
  held.add(name);
  try {
    await act();
  } finally {
    held.delete(name);
  }
}
