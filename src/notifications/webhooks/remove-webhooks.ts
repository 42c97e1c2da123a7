import type { Executor } from '../../platform/index.ts';
import type { NotificationTables } from '../tables.ts';
import type { WebhookOwner } from './find-webhook.ts';

/** Removes all webhooks of accounts or of workspaces, with their deliveries. @returns their number */
export async function removeWebhooks(
  executor: Executor,
  kind: WebhookOwner['kind'],
  ids: readonly string[],
): Promise<number> {
  const removed = await executor
    .query<NotificationTables>()
    .deleteFrom('webhook')
    .where((where) => where(kind === 'account' ? 'account_id' : 'workspace_id', '=', where.fn.any(where.val([...ids]))))
    .returning('id')
    .execute();
  return removed.length;
}
