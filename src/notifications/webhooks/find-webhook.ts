import type { Selectable } from 'kysely';
import type { Account } from '../../access/index.ts';
import { lockAccount } from '../../identity/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import { lockMembership, requireMembership } from '../../workspaces/index.ts';
import { webhookNotFound } from '../faults.ts';
import type { NotificationTables, WebhookTable } from '../tables.ts';

/** What a webhook belongs to. */
export interface WebhookOwner {
  readonly kind: 'account' | 'workspace';
  readonly id: string;
}

/** Names webhooks in a request: those of the caller's account, or those of the workspace with this id or slug. */
export interface WebhookPlace {
  readonly workspace?: string | undefined;
}

type Access = 'read' | 'write';

/** Returns the owner of the webhooks that a request names, if the caller has the permission. */
export async function requireOwner(
  executor: Executor,
  account: Account,
  { workspace }: WebhookPlace,
  access: Access,
): Promise<WebhookOwner> {
  if (workspace === undefined) return { kind: 'account', id: account.accountId };
  const { workspaceId } = await requireMembership(executor, account, workspace, `workspace_webhooks.${access}`);
  return { kind: 'workspace', id: workspaceId };
}

/** Repeats the check in a transaction, and makes other changes of the owner's webhooks wait for its end. */
export async function lockOwner(tx: Transaction, account: Account, { kind, id }: WebhookOwner): Promise<void> {
  if (kind === 'account') await lockAccount(tx, id);
  else await lockMembership(tx, account, id, 'workspace_webhooks.write');
}

export type WebhookRow = Selectable<WebhookTable>;

/** Selects the webhooks of an owner. */
export function webhooksOf(executor: Executor, { kind, id }: WebhookOwner) {
  const column = kind === 'account' ? 'account_id' : 'workspace_id';
  return executor.query<NotificationTables>().selectFrom('webhook').where(column, '=', id);
}

/** Returns the webhooks of an owner, oldest first. */
export function listWebhooks(executor: Executor, owner: WebhookOwner): Promise<WebhookRow[]> {
  return webhooksOf(executor, owner).selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Returns a webhook. Throws a fault if the owner has none with this id. */
export async function findWebhook(executor: Executor, owner: WebhookOwner, id: string): Promise<WebhookRow> {
  const found = await webhooksOf(executor, owner).selectAll().where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw webhookNotFound(owner.kind);
  return found;
}

/** Like `findWebhook`, and locks the webhook until the transaction ends. */
export async function lockWebhook(tx: Transaction, owner: WebhookOwner, id: string): Promise<WebhookRow> {
  const found = await webhooksOf(tx, owner).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (found === undefined) throw webhookNotFound(owner.kind);
  return found;
}
