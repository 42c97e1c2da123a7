import type { Account } from '../../access/index.ts';
import { MAX_WEBHOOKS, type WebhookEventType } from '../../contract/index.ts';
import { type Origin, recordSecurityEvent } from '../../identity/index.ts';
import { newId, readSigningKey } from '../../platform/index.ts';
import type { WebhookContext } from '../context.ts';
import { tooManyWebhooks } from '../faults.ts';
import type { NotificationTables } from '../tables.ts';
import { requireTypes, requireUrl, requireWebhookPlan } from './check-choice.ts';
import { lockOwner, requireOwner, type WebhookPlace, type WebhookRow, webhooksOf } from './find-webhook.ts';
import { formatSecret, WEBHOOK_KEY } from './secrets.ts';

export interface NewWebhook {
  readonly url: string;
  readonly name: string | null;
  readonly types: readonly WebhookEventType[];
  readonly origin: Origin;
}

/** A webhook with its secret, which is derived again from the signing key when it is needed. */
export interface WebhookSecret {
  readonly webhook: WebhookRow;
  readonly secret: string;
}

/** Creates a webhook of an account or a workspace. */
export async function createWebhook(
  context: WebhookContext,
  account: Account,
  place: WebhookPlace,
  { url, name, types, origin }: NewWebhook,
): Promise<WebhookSecret> {
  const { database, clock } = context;
  const owner = await requireOwner(database, account, place, 'write');
  requireWebhookPlan(account);
  requireTypes(account, owner, types);
  requireUrl(context, url);
  const now = clock.now();
  const key = await readSigningKey(database, WEBHOOK_KEY);
  const webhook = await database.transaction(async (tx) => {
    await lockOwner(tx, account, owner);
    const { count } = await webhooksOf(tx, owner)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= MAX_WEBHOOKS) throw tooManyWebhooks(MAX_WEBHOOKS);
    const row = await tx
      .query<NotificationTables>()
      .insertInto('webhook')
      .values({
        id: newId('whk', now.getTime()),
        account_id: owner.kind === 'account' ? owner.id : null,
        workspace_id: owner.kind === 'workspace' ? owner.id : null,
        url,
        name,
        types: [...types],
        off_reason: null,
        rotated_at: null,
        failing_since: null,
        paused_until: null,
        last_success_at: null,
        mailed_at: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const details = { webhook_id: row.id };
    await recordSecurityEvent(tx, { accountId: account.accountId, kind: 'webhook_created', at: now, origin, details });
    return row;
  });
  return { webhook, secret: formatSecret(key, webhook) };
}
