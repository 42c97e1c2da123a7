import { type ActiveJob, createSigningKeysReader, readSigningKeys, type SigningKeys } from '../../platform/index.ts';
import type { AttemptContext, NotificationJobContext } from '../context.ts';
import { areOlderThan, WEBHOOK_KEY } from '../webhooks/secrets.ts';
import { claimDelivery } from './claim-delivery.ts';
import { type DeliveryJob, WEBHOOK_QUEUE } from './queue-deliveries.ts';
import { moveJob, recordAttempt } from './record-attempt.ts';
import { RETRY_TIMES } from './retry-times.ts';
import { sendRequest } from './send-request.ts';

/** Number of requests that one process sends at the same time. */
const CONCURRENCY = 8;

/** Starts the worker that sends the queued deliveries. */
export async function startDeliveryWorker(context: NotificationJobContext): Promise<void> {
  const readKeys = createSigningKeysReader(context.database, WEBHOOK_KEY);
  const { pollSeconds } = context.retryTimes ?? RETRY_TIMES;
  await context.queue.work<DeliveryJob & Record<string, string>>(
    WEBHOOK_QUEUE.name,
    { concurrency: CONCURRENCY, pollSeconds },
    async (job) => runAttempt(context, await readKeys(), job),
  );
}

/**
 * Runs one attempt to deliver an event. Throws if the attempt was aborted or could not be recorded; the queue then repeats
 * the job.
 */
export async function runAttempt(
  context: AttemptContext,
  keys: SigningKeys,
  job: ActiveJob<DeliveryJob>,
): Promise<void> {
  const { database, clock, queue, outboundAllow: allow, retryTimes: { timeoutMs } = RETRY_TIMES } = context;
  const startedAt = clock.now();
  const claim = await claimDelivery(database, job.data.deliveryId, startedAt);
  if (claim.kind === 'over') return;
  if (claim.kind === 'wait') {
    await database.transaction((tx) => moveJob(queue, tx, job, claim.until));
    return;
  }
  // The webhook may have a secret of a key that is newer than those in memory.
  const isNewer = areOlderThan(keys, { ...claim, id: claim.webhook_id });
  const known = isNewer ? await readSigningKeys(database, WEBHOOK_KEY) : keys;
  const sent = await sendRequest(claim, { keys: known, allow, timeoutMs, now: startedAt, signal: job.signal });
  await recordAttempt(context, { delivery: claim, job, startedAt, sent });
}
