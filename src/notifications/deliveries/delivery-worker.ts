import { type ActiveJob, createSigningKeyReader } from '../../platform/index.ts';
import type { AttemptContext, NotificationJobContext } from '../context.ts';
import { WEBHOOK_KEY } from '../webhooks/secrets.ts';
import { claimDelivery } from './claim-delivery.ts';
import { type DeliveryJob, WEBHOOK_QUEUE } from './queue-deliveries.ts';
import { moveJob, recordAttempt } from './record-attempt.ts';
import { RETRY_TIMES } from './retry-times.ts';
import { sendRequest } from './send-request.ts';

/** Number of requests that one process sends at the same time. */
const CONCURRENCY = 8;

/** Starts the worker that sends the queued deliveries. */
export async function startDeliveryWorker(context: NotificationJobContext): Promise<void> {
  const readKey = createSigningKeyReader(context.database, WEBHOOK_KEY);
  const { pollSeconds } = context.retryTimes ?? RETRY_TIMES;
  await context.queue.work<DeliveryJob & Record<string, string>>(
    WEBHOOK_QUEUE.name,
    { concurrency: CONCURRENCY, pollSeconds },
    async (job) => runAttempt(context, await readKey(), job),
  );
}

/**
 * Runs one attempt to deliver an event. Throws if the attempt was aborted or could not be recorded; the queue then repeats
 * the job.
 */
export async function runAttempt(context: AttemptContext, key: Buffer, job: ActiveJob<DeliveryJob>): Promise<void> {
  const { database, clock, queue, outboundAllow: allow, retryTimes: { timeoutMs } = RETRY_TIMES } = context;
  const startedAt = clock.now();
  const claim = await claimDelivery(database, job.data.deliveryId, startedAt);
  if (claim.kind === 'over') return;
  if (claim.kind === 'wait') {
    await database.transaction((tx) => moveJob(queue, tx, job, claim.until));
    return;
  }
  const sent = await sendRequest(claim, { key, allow, timeoutMs, now: startedAt, signal: job.signal });
  await recordAttempt(context, { delivery: claim, job, startedAt, sent });
}
