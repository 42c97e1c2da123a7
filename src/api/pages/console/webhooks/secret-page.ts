import type { Operations, Output } from '../../../../contract/index.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderTerm } from '../terms.ts';
import { renderWebhooksPage, type WebhookPlace, webhookPath } from './webhook-place.ts';

type WebhookWithSecret = Output<Operations['createWebhook']>;

interface SecretWords {
  readonly heading: string;
  readonly lead: string | Html;
  readonly status: number;
}

/** Renders the secret of a webhook, which no page shows again. */
export function showSecret(
  place: WebhookPlace,
  webhook: WebhookWithSecret,
  { heading, lead, status }: SecretWords,
): ConsolePage {
  return renderWebhooksPage(place, {
    heading,
    status,
    lead,
    body: html`<section class="card stack" aria-label="The secret">
<pre class="secret" data-copy="the secret" tabindex="0" role="region" aria-label="Secret of the webhook">${webhook.secret}</pre>
<p>Every request is signed with it. The ${renderTerm('receiver')} checks the signature with a library of <a href="https://www.standardwebhooks.com/" rel="noopener noreferrer">Standard Webhooks</a>, and so accepts only what this service sent:</p>
<pre>new Webhook(secret).verify(body, headers)</pre>
<p class="hint">Here <code>body</code> is the text of the request as it arrived. The <a href="/docs/#/Webhooks">API documentation</a> describes events and headers.</p>
</section>
<p class="actions"><a class="button" href="${webhookPath(place, webhook)}">I have copied it</a></p>`,
  });
}
