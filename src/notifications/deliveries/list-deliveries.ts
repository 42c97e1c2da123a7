import type { Selectable } from 'kysely';
import type { Account } from '../../access/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { WebhookContext } from '../context.ts';
import type { NotificationTables, WebhookDeliveryTable } from '../tables.ts';
import type { WebhookKey } from '../webhooks/change-webhook.ts';
import { findWebhook, requireOwner } from '../webhooks/find-webhook.ts';

export type DeliveryRow = Selectable<WebhookDeliveryTable>;

/** Returns a page of the deliveries of a webhook, newest first. */
export async function listDeliveries(
  { database, cursorKey }: WebhookContext,
  account: Account,
  key: WebhookKey,
  page: PageRequest,
): Promise<{ deliveries: DeliveryRow[]; nextCursor: string | null }> {
  const { id } = await findWebhook(database, await requireOwner(database, account, key, 'read'), key.id);
  const query = database
    .query<NotificationTables>()
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', id);
  const { rows, nextCursor } = await readNewestFirst(await cursorKey(), `deliveries of ${id}`, page, query);
  return { deliveries: rows, nextCursor };
}
