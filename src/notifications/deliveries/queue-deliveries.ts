import { type Executor, newId, type Queue, type QueueDefinition } from '../../platform/index.ts';

/**
 * A job is one attempt to deliver an event. The delivery states whether another attempt follows, and the next job is added
 * with that state. The queue repeats a job only if its worker died or the database failed.
 */
export const WEBHOOK_QUEUE: QueueDefinition = {
  name: 'webhooks',
  retryLimit: 20,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3_600,
};

/** What a job contains. */
export interface DeliveryJob {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** The account that owns the webhook or its workspace. */
  readonly ownerId: string;
}

/** How many requests to the webhooks of one owner run at the same time, so that receivers that hang do not occupy every worker. */
const LANES_PER_OWNER = 2;

/** The jobs of one webhook are in one lane, and those of a lane run one after the other. */
function groupOf({ webhookId, ownerId }: DeliveryJob) {
  const lane = webhookId.charCodeAt(webhookId.length - 1) % LANES_PER_OWNER;
  return { id: `${ownerId} ${lane}`, oneAtATime: true };
}

/** Adds a job for the next attempt of a delivery. */
export async function queueAttempt(
  queue: Pick<Queue, 'enqueue'>,
  tx: Executor,
  job: DeliveryJob,
  startAfter: Date,
): Promise<void> {
  await queue.enqueue(tx, WEBHOOK_QUEUE.name, job, { startAfter, group: groupOf(job) });
}

/** Adds jobs for attempts that are due. */
export async function queueAttempts(
  queue: Pick<Queue, 'enqueueAll'>,
  tx: Executor,
  jobs: readonly DeliveryJob[],
): Promise<void> {
  await queue.enqueueAll(tx, WEBHOOK_QUEUE.name, jobs, { groupOf });
}

export interface NewDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly replays?: string;
}

/** Returns the row of a new delivery, whose first attempt is due. */
export function newDeliveryRow({ webhookId, eventId, type, body, replays }: NewDelivery, now: Date) {
  return {
    id: newId('dlv', now.getTime()),
    webhook_id: webhookId,
    event_id: eventId,
    type,
    body,
    replays: replays ?? null,
    state: 'pending' as const,
    attempt_started_at: null,
    next_attempt_at: now,
    created_at: now,
    ended_at: null,
  };
}
