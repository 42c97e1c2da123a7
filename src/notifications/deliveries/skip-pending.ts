import type { Executor } from '../../platform/index.ts';
import type { NotificationTables } from '../tables.ts';

/** Ends the pending deliveries of a webhook that was turned off. Their jobs find them ended. */
export async function skipPending(executor: Executor, webhookId: string, now: Date): Promise<void> {
  await executor
    .query<NotificationTables>()
    .updateTable('webhook_delivery')
    .set({ state: 'skipped', ended_at: now, next_attempt_at: null })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .execute();
}
