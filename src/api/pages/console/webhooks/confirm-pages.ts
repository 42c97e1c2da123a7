import { html } from '../../html.ts';
import { endOnce } from '../account/change.ts';
import { backTo } from '../account/frame.ts';
import { renderTime } from '../account/times.ts';
import { runInTurn } from '../actions/run-in-turn.ts';
import type { ConsolePage } from '../document.ts';
import { hasSeen, renderSeen } from '../workspaces/workspace-visit.ts';
import { showSecret } from './secret-page.ts';
import {
  callAt,
  readWebhook,
  renderQuestion,
  renderWebhooksPage,
  routesAt,
  type WebhookPlace,
  webhookParams,
  webhookPath,
} from './webhook-place.ts';
import { titleOf, type Webhook } from './words.ts';

/** Rotates the secret of a webhook after a question, and shows the new one once. */
const rotateRoutes = routesAt('/:id/rotate', {
  get: async (place) => {
    const webhook = await readWebhook(place);
    const title = titleOf(webhook);
    const path = webhookPath(place, webhook);
    return renderQuestion(
      place,
      { id: webhook.id, title },
      {
        heading: `Rotate the secret of ${title}?`,
        body: html`<p>You get a new secret, which is shown once.</p>
<ul class="ticks"><li>For 24 hours, requests are signed with both secrets, the new one and the one before. Give your program the new one in this time.</li>
<li>After that, only the new one signs. Any secret that is older than these two stops signing immediately.</li></ul>
<form method="post" action="${path}/rotate" class="actions">${renderSeen(webhook.secret_rotated_at)}<button>Rotate the secret</button>
<a class="button quiet" href="${path}">Keep it</a></form>`,
      },
    );
  },
  post: async (place) => {
    // A second rotation would end the secret that the program still uses, so a second click does nothing.
    const rotated = await runInTurn(`rotate ${webhookParams(place).webhook_id}`, async () => {
      const webhook = await readWebhook(place);
      if (!hasSeen(place.visit, webhook.secret_rotated_at)) return { before: webhook };
      return { now: await callAt(place, 'rotate', { params: { webhook_id: webhook.id } }) };
    });
    if ('before' in rotated) return showRotatedBefore(place, rotated.before);
    return showSecret(place, rotated.now, {
      heading: 'The new secret',
      status: 200,
      lead: html`Requests to <strong>${titleOf(rotated.now)}</strong> are signed with it from now on, and for 24 hours also with the one before. Copy it now: it is not shown again.`,
    });
  },
});

function showRotatedBefore(place: WebhookPlace, webhook: Webhook): ConsolePage {
  const { secret_rotated_at: at } = webhook;
  return renderWebhooksPage(place, {
    heading: 'The secret was rotated before',
    status: 412,
    lead: html`The secret of <strong>${titleOf(webhook)}</strong> was rotated${at !== null && html` ${renderTime(at)}`}, after this page was opened. Nothing was done now. The new secret was shown once and is not kept.`,
    body: html`<p>If you have not copied it, rotate again. The secret before it then stops signing immediately.</p>
<p class="actions"><a class="button" href="${webhookPath(place, webhook)}">Open the webhook</a>
<a class="button quiet" href="${webhookPath(place, webhook, 'rotate')}">Rotate again</a></p>`,
  });
}

const deleteRoutes = routesAt('/:id/delete', {
  get: async (place) => {
    const webhook = await readWebhook(place);
    const title = titleOf(webhook);
    const path = webhookPath(place, webhook);
    return renderQuestion(
      place,
      { id: webhook.id, title },
      {
        heading: `Delete the webhook ${title}?`,
        body: html`<p class="address">${webhook.url}</p>
<ul class="ticks"><li>Nothing more is sent to it, not even what waits for another attempt.</li>
<li>The list of what was sent to it is removed, and its secret stops working.</li>
<li>Forecasts and everything else that it was about stay.</li></ul>
<form method="post" action="${path}/delete" class="actions"><button class="danger">Delete the webhook</button>
<a class="button quiet" href="${path}">Keep it</a></form>`,
      },
    );
  },
  post: async (place) => {
    const isDeleted = await endOnce(() => callAt(place, 'remove', { params: webhookParams(place) }));
    return backTo(place.visit, place.path, isDeleted ? 'webhook_deleted' : 'gone_already');
  },
});

export const confirmRoutes = [...rotateRoutes, ...deleteRoutes];
