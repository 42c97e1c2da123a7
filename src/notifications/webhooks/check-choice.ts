import type { Account } from '../../access/index.ts';
import { canUseApi } from '../../access/index.ts';
import { WEBHOOK_EVENT_SCOPES, type WebhookEventType } from '../../contract/index.ts';
import { checkNamedUrl, OUTBOUND_FAULTS, type OutboundFault } from '../../platform/index.ts';
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

/** How to write a URL that is refused. Other faults occur only in requests. */
const REMEDIES: Readonly<Partial<Record<OutboundFault, string>>> = {
  bad_address: 'Write it as https://host/path.',
  not_public: 'The address is not on the public internet. Use a public one, or ask the operator to allow this one.',
  not_https: 'Use https. The operator has not allowed http for this address.',
};

/** Checks a URL as far as that is possible without a request. Each attempt checks the addresses of its name. */
export function requireUrl({ outboundAllow }: Pick<WebhookContext, 'outboundAllow'>, url: string): void {
  if (url.includes('#')) throw urlRefused('A fragment is never sent. Remove everything from # on.');
  // Parsers remove or replace these characters, so that requests would be sent to another address than the text shows.
  if (/[\s\\\p{Cc}]/u.test(url)) throw urlRefused('Remove spaces, line breaks and backslashes, or encode them.');
  const { username, password, port, protocol } = URL.parse(url) ?? {};
  if (username || password) throw urlRefused('Remove the user and the password from it.');
  if (port === '0') throw urlRefused('The port must be from 1 to 65535.');
  const isPlain = protocol === 'http:' && outboundAllow.length === 0;
  const problem = isPlain ? 'not_https' : checkNamedUrl(url, outboundAllow);
  if (problem !== null) throw urlRefused(REMEDIES[problem] ?? OUTBOUND_FAULTS[problem]);
}
