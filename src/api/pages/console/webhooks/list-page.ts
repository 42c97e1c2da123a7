import { randomUUID } from 'node:crypto';
import { Fault, MAX_WEBHOOKS } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { hasApi } from '../account/feed-link.ts';
import { type Made, runOnce } from '../account/once.ts';
import { renderPlanNote } from '../account/plan-view.ts';
import type { ConsolePage } from '../document.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import { showSecret } from './secret-page.ts';
import {
  FIRST_CHOICE,
  findMissing,
  LABELS,
  readChoice,
  renderFields,
  toRequest,
  type WebhookChoice,
} from './webhook-form.ts';
import { callAt, offeredTypes, renderWebhooksPage, routesAt, type WebhookPlace, webhookPath } from './webhook-place.ts';
import { describeState, nameType, titleOf, type Webhook } from './words.ts';

/** What pages state to accounts whose plan does not include webhooks. */
export const PLAN_RULE = 'Webhooks work only with the Pro and Enterprise plans.';

/** The webhooks of an account or a workspace, and the form that makes one. */
export const listRoutes = routesAt('', {
  get: (place) => showList(place),
  post: async (place) => {
    const { visit, account } = place;
    if (!hasApi(account)) return showList(place, FIRST_CHOICE, { status: 403 });
    const choice = readChoice(visit.form, offeredTypes(place));
    const missing = findMissing(choice);
    if (Object.keys(missing).length > 0) return showList(place, choice, { errors: missing });
    const form = `${account.credentialId} ${readField(visit.form, 'key') ?? ''}`;
    const body = toRequest(choice);
    const created = await attempt(() => runOnce(form, () => callAt(place, 'create', { body })));
    if (created instanceof Fault) {
      const errors = toFieldErrors(created, LABELS);
      return showList(place, choice, errors === null ? { refusal: toRefusal(created) } : { errors });
    }
    if ('repeated' in created) return showRepeated(place, created.repeated);
    return showSecret(place, created.first, {
      heading: 'Your new webhook',
      status: 201,
      lead: html`<strong>${titleOf(created.first)}</strong> gets its events from now on. Copy its secret now: it is not shown again.`,
    });
  },
});

interface Failure {
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
  readonly status?: number;
}

async function showList(
  place: WebhookPlace,
  choice: WebhookChoice = FIRST_CHOICE,
  { errors = {}, refusal, status }: Failure = {},
): Promise<ConsolePage> {
  const { webhooks } = await callAt(place, 'list');
  const isIncluded = hasApi(place.account);
  const isFull = webhooks.length >= MAX_WEBHOOKS;
  return renderWebhooksPage(place, {
    lead: describeWebhooks(place),
    errors,
    refusal,
    status,
    body: html`${!isIncluded && renderPlanNote(webhooks.length === 0 ? PLAN_RULE : `${PLAN_RULE} Yours send nothing until your plan includes them.`)}
${webhooks.length > 0 && renderWebhooks(place, webhooks)}
${webhooks.length === 0 && isIncluded && renderEmpty({ title: place.workspace === null ? 'You have no webhooks' : 'The workspace has no webhooks', text: 'Make the first one below. Its secret is shown once.' })}
${isFull && html`<p>There are ${formatCount(MAX_WEBHOOKS, 'webhook')}, the most that are possible. Delete one to make another.</p>`}
${isIncluded && !isFull && renderForm(place, choice, errors)}
${isIncluded && renderRules(place)}`,
  });
}

function describeWebhooks({ workspace }: WebhookPlace): Html {
  const what =
    workspace === null
      ? 'what happens to your forecasts, questions and filters'
      : 'what happens to the forecasts and questions of this workspace, except to private ones of its members,';
  return html`A webhook${renderMeaning('webhook')} sends ${what} to a program of yours, as soon as it happens.`;
}

function renderWebhooks(place: WebhookPlace, webhooks: readonly Webhook[]): Html {
  return html`<section class="card stack" aria-label="${place.workspace === null ? 'Your webhooks' : 'Webhooks of the workspace'}">
<ul class="list">${webhooks.map((webhook) => {
    const { tone, label, text } = describeState(webhook);
    const title = titleOf(webhook);
    return html`<li><div><p><strong>${title}</strong> <span class="tag ${tone}">${label}</span></p>
${webhook.name !== null && html`<p class="hint">${new URL(webhook.url).host}</p>`}
<p class="hint">${webhook.types.map(nameType).join(' · ')}</p>
<p class="hint">${text}</p></div>
<a class="button quiet" href="${webhookPath(place, webhook)}" aria-label="Open ${title}">Open</a></li>`;
  })}</ul>
</section>`;
}

function renderForm(place: WebhookPlace, choice: WebhookChoice, errors: FieldErrors): Html {
  return html`<section class="card stack" aria-labelledby="new-webhook">
<h2 id="new-webhook">Make a webhook</h2>
<form method="post" action="${place.path}" class="stack">
${hidden('key', randomUUID())}
${renderFields(choice, offeredTypes(place), errors)}
<p class="actions"><button>Make the webhook</button></p>
</form>
</section>`;
}

function renderRules({ workspace }: WebhookPlace): Html {
  return html`<section class="stack" aria-labelledby="rules">
<h2 id="rules">How it works</h2>
<ul class="ticks measure">
<li>Each event is sent by POST as JSON. It has ids and no results: your program reads those with an API key.</li>
<li>Your program has 10 seconds to reply with a 2xx status. Otherwise the event is sent again, less and less often, for three days. It can arrive twice, and in another order.</li>
<li>If every attempt of a week fails, the webhook is turned off and ${workspace === null ? 'you get an email' : 'the owner gets an email'}.</li>
<li>What was sent is listed for 30 days. There can be ${formatCount(MAX_WEBHOOKS, 'webhook')}.</li>
</ul>
</section>`;
}

/** Renders the response to a form that was sent again: the secret was in the first response, and is not kept. */
async function showRepeated(place: WebhookPlace, { id }: Made): Promise<ConsolePage> {
  const { webhooks } = await callAt(place, 'list');
  const webhook = webhooks.find((one) => one.id === id);
  return renderWebhooksPage(place, {
    heading: 'This webhook was made before',
    lead:
      webhook === undefined
        ? 'This form made a webhook, which was deleted since.'
        : html`This form has already made the webhook <strong>${titleOf(webhook)}</strong>. Its secret was shown once and is not kept.`,
    body: html`${webhook !== undefined && html`<p>If you have not copied the secret, rotate it: you get a new one.</p>`}
<p class="actions">${
      webhook !== undefined &&
      html`<a class="button" href="${webhookPath(place, webhook)}">Open the webhook</a>
<a class="button quiet" href="${webhookPath(place, webhook, 'rotate')}">Rotate the secret</a>`
    }<a class="button quiet" href="${place.path}">All webhooks</a></p>`,
  });
}
