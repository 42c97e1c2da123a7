import { randomUUID } from 'node:crypto';
import { Fault } from '../../../../contract/index.ts';
import { renderFacts } from '../../facts.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { hasApi } from '../account/feed-link.ts';
import { backTo } from '../account/frame.ts';
import { renderPlanNote } from '../account/plan-view.ts';
import { renderTime } from '../account/times.ts';
import type { ConsolePage } from '../document.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import { CHANGED, hasSeen, renderSeen } from '../workspaces/workspace-visit.ts';
import { PLAN_RULE } from './list-page.ts';
import { renderDeliveries } from './render-deliveries.ts';
import {
  choiceOf,
  findMissing,
  LABELS,
  readChoice,
  renderFields,
  toRequest,
  type WebhookChoice,
} from './webhook-form.ts';
import {
  callAt,
  offeredTypes,
  readWebhook,
  renderWebhooksPage,
  routesAt,
  type WebhookPlace,
  webhookPath,
} from './webhook-place.ts';
import { describeState, nameType, titleOf, type Webhook } from './words.ts';

const PAGE_SIZE = 20;

/** One webhook: its state, its settings, and what was sent to it. */
export const webhookRoutes = routesAt('/:id', {
  get: async (place) => showWebhook(place, await readWebhook(place)),
  post: async (place) => {
    const webhook = await readWebhook(place);
    if (!hasSeen(place.visit, choiceOf(webhook))) return showWebhook(place, webhook, { refusal: CHANGED });
    const choice = readChoice(place.visit.form, offeredTypes(place));
    const missing = findMissing(choice);
    if (Object.keys(missing).length > 0) return showWebhook(place, webhook, { choice, errors: missing });
    const changed = await attempt(() =>
      callAt(place, 'update', { params: { webhook_id: webhook.id }, body: toRequest(choice) }),
    );
    if (!(changed instanceof Fault)) return backTo(place.visit, webhookPath(place, webhook), 'webhook_changed');
    const errors = toFieldErrors(changed, LABELS);
    const failure = errors === null ? { refusal: toRefusal(changed) } : { errors };
    return showWebhook(place, webhook, { choice, ...failure });
  },
});

interface Failure {
  /** What was entered, if the form was refused. */
  readonly choice?: WebhookChoice;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

export async function showWebhook(
  place: WebhookPlace,
  webhook: Webhook,
  { choice, errors = {}, refusal }: Failure = {},
): Promise<ConsolePage> {
  const { visit, account } = place;
  const path = webhookPath(place, webhook);
  const cursor = readField(visit.query, 'cursor');
  const { deliveries, next_cursor: next } = await callAt(place, 'listDeliveries', {
    params: { webhook_id: webhook.id },
    query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
  });
  const canSend = hasApi(account);
  const key = randomUUID();
  const view = { deliveries, next, cursor, path, key, canSend, isOn: webhook.enabled, now: visit.now };
  return renderWebhooksPage(place, {
    heading: titleOf(webhook),
    lead: html`<span class="address">${webhook.url}</span>`,
    errors,
    refusal,
    body: html`${!canSend && renderPlanNote(`${PLAN_RULE} This one sends nothing until your plan includes it.`)}
${renderState(place, webhook, { key, canSend, settings: canSend && renderSettings(place, webhook, choice, errors) })}
${renderDeliveries(view)}`,
  });
}

interface StateView {
  readonly key: string;
  readonly canSend: boolean;
  readonly settings: Html | false;
}

function renderState(place: WebhookPlace, webhook: Webhook, { key, canSend, settings }: StateView): Html {
  const { tone, label, text } = describeState(webhook);
  const { enabled, types, last_success_at, secret_rotated_at, created_at } = webhook;
  const path = webhookPath(place, webhook);
  return html`<section class="card stack" aria-labelledby="state">
<div class="card-head"><h2 id="state">State</h2><span class="tag ${tone}">${label}</span></div>
<p>${text}${!enabled && ' Events that happen while it is off are not sent later.'}</p>
${renderFacts('facts', [
  ['Events', types.map(nameType).join(' · ')],
  ['Last success', enabled || last_success_at === null ? null : renderTime(last_success_at)],
  ['Secret', secret_rotated_at === null ? null : html`Rotated ${renderTime(secret_rotated_at)}`],
  ['Created', renderTime(created_at)],
])}
<div class="actions">${canSend && html`<form method="post" action="${path}/test">${hidden('key', key)}<button>Send a test</button></form>`}
${(canSend || enabled) && renderSwitch(path, enabled)}
${canSend && html`<a class="button quiet" href="${path}/rotate">Rotate the secret …</a>`}
<a class="button danger" href="${path}/delete">Delete …</a></div>
${settings}
</section>`;
}

/** Renders the button that turns a webhook on or off. The form states which, so that sending it twice changes nothing more. */
function renderSwitch(path: string, enabled: boolean): Html {
  return html`<form method="post" action="${path}/state">${hidden('enabled', enabled ? 'off' : 'on')}<button class="quiet">${enabled ? 'Turn off' : 'Turn on'}</button></form>`;
}

function renderSettings(
  place: WebhookPlace,
  webhook: Webhook,
  entered: WebhookChoice | undefined,
  errors: FieldErrors,
): Html {
  const present = choiceOf(webhook);
  return html`<details${entered !== undefined && html` open`}><summary>Change the webhook</summary>
<form method="post" action="${webhookPath(place, webhook)}" class="stack">${renderSeen(present)}
${renderFields(entered ?? present, offeredTypes(place), errors)}
<p class="actions"><button>Save</button></p>
</form></details>`;
}
