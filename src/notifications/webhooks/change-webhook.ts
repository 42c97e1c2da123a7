import type { Account } from '../../access/index.ts';
import type { WebhookEventType } from '../../contract/index.ts';
import { type Origin, recordSecurityEvent } from '../../identity/index.ts';
import { lockSigningKeys, type SigningKeys, type Transaction } from '../../platform/index.ts';
import type { WebhookContext } from '../context.ts';
import { skipPending } from '../deliveries/skip-pending.ts';
import type { NotificationTables } from '../tables.ts';
import { requireTypes, requireUrl, requireWebhookPlan } from './check-choice.ts';
import type { WebhookSecret } from './create-webhook.ts';
import {
  lockOwner,
  lockWebhook,
  requireOwner,
  type WebhookOwner,
  type WebhookPlace,
  type WebhookRow,
} from './find-webhook.ts';
import { formatSecret, WEBHOOK_KEY } from './secrets.ts';

/** Names one webhook in a request. */
export interface WebhookKey extends WebhookPlace {
  readonly id: string;
}

export interface WebhookChange {
  readonly url?: string | undefined;
  readonly name?: string | null | undefined;
  readonly types?: readonly WebhookEventType[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes a webhook. Turning it off ends its pending deliveries; turning it on and another URL forget its failures. */
export async function updateWebhook(
  context: WebhookContext,
  account: Account,
  key: WebhookKey,
  { url, name, types, enabled }: WebhookChange,
): Promise<WebhookRow> {
  const owner = await requireOwner(context.database, account, key, 'write');
  if (enabled !== false) requireWebhookPlan(account);
  if (url !== undefined) requireUrl(context, url);
  const now = context.clock.now();
  return change(context, account, owner, key.id, async (tx, webhook) => {
    // Another URL, and turning a webhook on, also decide where events go.
    if (types !== undefined || url !== undefined || enabled === true) {
      requireTypes(account, owner, types ?? webhook.types);
    }
    if (enabled === false) await skipPending(tx, webhook.id, now);
    return tx
      .query<NotificationTables>()
      .updateTable('webhook')
      .set({
        ...(url !== undefined && url !== webhook.url && { url, ...WITHOUT_FAILURES }),
        ...(name !== undefined && { name }),
        ...(types !== undefined && { types: [...types] }),
        ...(enabled === false && webhook.enabled && { enabled, off_reason: 'requested' as const }),
        ...(enabled === true && !webhook.enabled && { enabled, off_reason: null, ...WITHOUT_FAILURES }),
        updated_at: now,
      })
      .where('id', '=', webhook.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

const WITHOUT_FAILURES = { failures: 0, failing_since: null, paused_until: null };

/** Gives a webhook another secret. The previous one also signs for a day. */
export async function rotateSecret(
  context: WebhookContext,
  account: Account,
  key: WebhookKey,
  origin: Origin,
): Promise<WebhookSecret> {
  const owner = await requireOwner(context.database, account, key, 'write');
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const keys = await lockSigningKeys(tx, WEBHOOK_KEY);
    await lockOwner(tx, account, owner);
    const { id, types } = await lockWebhook(tx, owner, key.id);
    requireTypes(account, owner, types);
    const details = { webhook_id: id };
    await recordSecurityEvent(tx, { accountId: account.accountId, kind: 'webhook_rotated', at: now, origin, details });
    return replaceSecret(tx, keys, id, { now, isWithdrawn: false });
  });
}

/**
 * Gives a webhook the next secret, from the newest key.
 *
 * @param isWithdrawn whether the previous secret stops signing at once
 */
export async function replaceSecret(
  tx: Transaction,
  keys: SigningKeys,
  id: string,
  { now, isWithdrawn }: { readonly now: Date; readonly isWithdrawn: boolean },
): Promise<WebhookSecret> {
  const webhook = await tx
    .query<NotificationTables>()
    .updateTable('webhook')
    .set(({ eb, ref }) => ({
      secret_version: eb('secret_version', '+', 1),
      previous_key_number: isWithdrawn ? null : ref('key_number'),
      key_number: keys.accepted[0].number,
      rotated_at: now,
      updated_at: now,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { webhook, secret: formatSecret(keys, webhook) };
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(
  context: WebhookContext,
  account: Account,
  key: WebhookKey,
  origin: Origin,
): Promise<void> {
  const owner = await requireOwner(context.database, account, key, 'write');
  const now = context.clock.now();
  await change(context, account, owner, key.id, async (tx, { id }) => {
    await tx.query<NotificationTables>().deleteFrom('webhook').where('id', '=', id).execute();
    const details = { webhook_id: id };
    await recordSecurityEvent(tx, { accountId: account.accountId, kind: 'webhook_deleted', at: now, origin, details });
  });
}

/** Runs a change of a webhook in a transaction that locks its owner and the webhook. */
async function change<Result>(
  { database }: WebhookContext,
  account: Account,
  owner: WebhookOwner,
  id: string,
  run: (tx: Transaction, webhook: WebhookRow) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await lockOwner(tx, account, owner);
    return run(tx, await lockWebhook(tx, owner, id));
  });
}
