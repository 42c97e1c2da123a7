import type { Account } from '../../access/index.ts';
import { canUseApi } from '../../access/index.ts';
import { WEBHOOK_EVENT_SCOPES, type WebhookEventType } from '../../contract/index.ts';
import { checkNamedUrl, OUTBOUND_FAULTS } from '../../platform/index.ts';
import type { WebhookContext } from '../context.ts';
import { eventTypeDenied, typeOfAccountsOnly, urlRefused, webhookPlanRequired } from '../faults.ts';
import type { WebhookOwner } from './find-webhook.ts';

/** Checks that the plan allows webhooks. A browser session is enough for other requests, but not for a webhook. */
export function requireWebhookPlan(account: Account): void {
  if (!canUseApi({ ...account, credential: 'feed' })) throw webhookPlanRequired();
}

/** Checks that the credential may read what events of these types lead to, and that the owner can have them. */
export function requireTypes(account: Account, owner: WebhookOwner, types: readonly WebhookEventType[]): void {
  for (const type of types) {
    const scope = WEBHOOK_EVENT_SCOPES[type];
    if (!account.scopes.includes(scope)) throw eventTypeDenied(type, scope);
    if (type === 'screener.matched' && owner.kind === 'workspace') throw typeOfAccountsOnly(type);
  }
}

/** Checks a URL as far as that is possible without a request. Each attempt checks the addresses of its name. */
export function requireUrl({ outboundAllow }: Pick<WebhookContext, 'outboundAllow'>, url: string): void {
  if (url.includes('#')) throw urlRefused('A fragment is never sent. Remove everything from # on.');
  const problem = checkNamedUrl(url, outboundAllow);
  if (problem !== null) throw urlRefused(OUTBOUND_FAULTS[problem]);
}
