import { claimDelivery } from '../../../src/notifications/deliveries/claim-delivery.ts';
import { recordAttempt } from '../../../src/notifications/deliveries/record-attempt.ts';
import { type Database, type Queue, systemClock } from '../../../src/platform/index.ts';

/** Records an attempt of a queued delivery as if its receiver had accepted the event. Sends nothing. */
export async function deliver(
  { database, queue }: { readonly database: Database; readonly queue: Queue },
  deliveryId: string,
): Promise<void> {
  const startedAt = systemClock.now();
  const delivery = await claimDelivery(database, deliveryId, startedAt);
  if (delivery.kind !== 'send') throw new Error(`The delivery ${deliveryId} is not to be sent: ${delivery.kind}`);
  const job = { id: '', attempt: 1, data: { deliveryId, webhookId: delivery.webhook_id, ownerId: '' } };
  const sent = { statusCode: 204, error: null, reply: '', retryAfterMs: null };
  await recordAttempt({ database, queue, clock: systemClock }, { delivery, job, startedAt, sent });
}
