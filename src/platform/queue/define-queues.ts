import type { Queue as BossQueue, PgBoss } from 'pg-boss';
import { DAY_MS } from '../../calendar/index.ts';
import type { QueueDefinition } from './queue.ts';

const DAY_SECONDS = DAY_MS / 1_000;

/** Creates missing queues and updates those whose declaration has changed. */
export async function defineQueues(boss: PgBoss, definitions: readonly QueueDefinition[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const definition of definitions) {
    const wanted = bossQueue(definition);
    const found = existing.get(definition.name);
    if (found === undefined) await boss.createQueue(definition.name, wanted);
    else if (differs(found, wanted)) await updateQueue(boss, found, wanted);
    else continue;
    // pg-boss looks up a new queue when it is first used. This call triggers the lookup now, because the first use may be
    // inside a transaction, where pg-boss must not send its own query.
    await boss.findJobs(definition.name, { id: '00000000-0000-0000-0000-000000000000' });
  }
}

function bossQueue(definition: QueueDefinition) {
  return {
    name: definition.name,
    policy: definition.policy ?? 'standard',
    retryLimit: definition.retryLimit ?? 2,
    retryDelay: definition.retryDelaySeconds ?? 0,
    retryBackoff: definition.retryBackoff ?? false,
    expireInSeconds: definition.expireInSeconds ?? 15 * 60,
    heartbeatSeconds: definition.heartbeatSeconds ?? 30,
    retentionSeconds: definition.retentionSeconds ?? 14 * DAY_SECONDS,
    deleteAfterSeconds: definition.deleteAfterSeconds ?? 7 * DAY_SECONDS,
    notify: true,
    ...(definition.deadLetter === undefined ? {} : { deadLetter: definition.deadLetter }),
  } satisfies BossQueue;
}

type WantedQueue = ReturnType<typeof bossQueue>;

function differs(found: BossQueue, wanted: WantedQueue): boolean {
  return (
    (Object.keys(wanted) as (keyof WantedQueue)[]).some((key) => found[key] !== wanted[key]) ||
    hasOtherDeadLetter(found, wanted)
  );
}

function hasOtherDeadLetter(found: BossQueue, wanted: WantedQueue): boolean {
  return (found.deadLetter ?? undefined) !== wanted.deadLetter;
}

async function updateQueue(boss: PgBoss, found: BossQueue, wanted: WantedQueue): Promise<void> {
  const { name, policy, ...changeable } = wanted;
  if (found.policy !== policy) {
    throw new Error(
      `Queue ${name} exists with the policy ${found.policy}, which cannot change to ${policy}. Give the new queue another name.`,
    );
  }
  await boss.updateQueue(name, { ...changeable, deadLetter: wanted.deadLetter ?? null });
}
