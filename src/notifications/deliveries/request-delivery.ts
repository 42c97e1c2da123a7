import type { Account } from '../../access/index.ts';
import { WEBHOOK_TEST_EVENT } from '../../contract/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { WebhookContext } from '../context.ts';
import { deliveryNotFound, deliveryPending, tooManyRequested, webhookOff } from '../faults.ts';
import type { NotificationTables } from '../tables.ts';
import type { WebhookKey } from '../webhooks/change-webhook.ts';
import { requireWebhookPlan } from '../webhooks/check-choice.ts';
import { lockOwner, lockWebhook, requireOwner, type WebhookRow } from '../webhooks/find-webhook.ts';
import { formatBody } from './body.ts';
import type { DeliveryRow } from './list-deliveries.ts';
import { type NewDelivery, newDeliveryRow, queueAttempt } from './queue-deliveries.ts';

/** Queues one attempt to send a test event, also to a webhook that is off. */
export function testWebhook(context: WebhookContext, account: Account, key: WebhookKey): Promise<DeliveryRow> {
  return requestDelivery(context, account, key, async (tx, webhook, now) => {
    const { last_sequence: sequence } = await tx
      .query<NotificationTables>()
      .updateTable('webhook')
      .set((eb) => ({ last_sequence: eb('last_sequence', '+', 1) }))
      .where('id', '=', webhook.id)
      .returning('last_sequence')
      .executeTakeFirstOrThrow();
    const event = { id: newId('oev', now.getTime()), type: WEBHOOK_TEST_EVENT, createdAt: now };
    const body = formatBody(event, sequence, { webhook_id: webhook.id });
    return { webhookId: webhook.id, eventId: event.id, type: event.type, body };
  });
}

/** Sends the event of a delivery that has ended again, as another delivery. */
export function replayDelivery(
  context: WebhookContext,
  account: Account,
  key: WebhookKey,
  deliveryId: string,
): Promise<DeliveryRow> {
  return requestDelivery(context, account, key, async (tx, webhook) => {
    const delivery = await tx
      .query<NotificationTables>()
      .selectFrom('webhook_delivery')
      .select(['event_id', 'type', 'body', 'state'])
      .where('webhook_id', '=', webhook.id)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    if (delivery === undefined) throw deliveryNotFound();
    if (delivery.state === 'pending') throw deliveryPending();
    if (!webhook.enabled && delivery.type !== WEBHOOK_TEST_EVENT) throw webhookOff();
    const { event_id: eventId, type, body } = delivery;
    return { webhookId: webhook.id, eventId, type, body, replays: deliveryId };
  });
}

/** Maximum numbers of tests and replays of one webhook that wait at the same time. Tests do not pause a webhook that fails. */
const MAX_TESTS = 5;
const MAX_REPLAYS = 100;

async function requestDelivery(
  { database, clock, queue }: WebhookContext,
  account: Account,
  key: WebhookKey,
  build: (tx: Transaction, webhook: WebhookRow, now: Date) => Promise<NewDelivery>,
): Promise<DeliveryRow> {
  const owner = await requireOwner(database, account, key, 'write');
  requireWebhookPlan(account);
  return database.transaction(async (tx) => {
    const now = clock.now();
    await lockOwner(tx, account, owner);
    const webhook = await lockWebhook(tx, owner, key.id);
    const delivery = await build(tx, webhook, now);
    await requireBelowLimit(tx, delivery);
    const row = await tx
      .query<NotificationTables>()
      .insertInto('webhook_delivery')
      .values(newDeliveryRow(delivery, now))
      .returningAll()
      .executeTakeFirstOrThrow();
    // Only the owner of a workspace can request deliveries of its webhooks.
    await queueAttempt(queue, tx, { deliveryId: row.id, webhookId: webhook.id, ownerId: account.accountId }, now);
    return row;
  });
}

async function requireBelowLimit(tx: Transaction, { webhookId, type }: NewDelivery): Promise<void> {
  const isTest = type === WEBHOOK_TEST_EVENT;
  const { count } = await tx
    .query<NotificationTables>()
    .selectFrom('webhook_delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .where('type', isTest ? '=' : '<>', WEBHOOK_TEST_EVENT)
    .$if(!isTest, (query) => query.where('replays', 'is not', null))
    .executeTakeFirstOrThrow();
  if (isTest && count >= MAX_TESTS) throw tooManyRequested(MAX_TESTS, 'tests');
  if (count >= MAX_REPLAYS) throw tooManyRequested(MAX_REPLAYS, 'replays');
}
