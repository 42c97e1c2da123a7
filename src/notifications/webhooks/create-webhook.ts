import type { Account } from '../../access/index.ts';
import { MAX_WEBHOOKS, type WebhookEventType } from '../../contract/index.ts';
import { type Origin, recordSecurityEvent } from '../../identity/index.ts';
import { lockSigningKeys, newId } from '../../platform/index.ts';
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
  return database.transaction(async (tx) => {
    const keys = await lockSigningKeys(tx, WEBHOOK_KEY);
    await lockOwner(tx, account, owner);
    const { count } = await webhooksOf(tx, owner)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= MAX_WEBHOOKS) throw tooManyWebhooks(MAX_WEBHOOKS);
    const webhook = await tx
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
        key_number: keys.accepted[0].number,
        previous_key_number: null,
        failing_since: null,
        paused_until: null,
        last_success_at: null,
        mailed_at: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const details = { webhook_id: webhook.id };
    await recordSecurityEvent(tx, { accountId: account.accountId, kind: 'webhook_created', at: now, origin, details });
    return { webhook, secret: formatSecret(keys, webhook) };
  });
}
