import { WEBHOOK_TEST_EVENT } from '../../../../contract/index.ts';
import { hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderTime } from '../account/times.ts';
import { renderEmpty } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import { DELIVERY_WORDS, type Delivery, describeAttempt, findSubject, nameType } from './words.ts';

/** A page of the deliveries of a webhook, and what its buttons need. */
export interface DeliveriesView {
  readonly deliveries: readonly Delivery[];
  readonly next: string | null;
  /** The cursor of this page; undefined for the newest deliveries. */
  readonly cursor: string | undefined;
  /** The address of the webhook. */
  readonly path: string;
  /** The key of the forms, by which a second click is recognized. */
  readonly key: string;
  /** Whether the plan allows tests and replays. */
  readonly canSend: boolean;
  readonly isOn: boolean;
  readonly now: Date;
}

/** Renders what was sent to a webhook, newest first, with its replies. */
export function renderDeliveries(view: DeliveriesView): Html {
  const { deliveries, cursor, path, canSend } = view;
  const here = cursor === undefined ? path : pageAddress(path, cursor);
  return html`<section class="card stack" aria-labelledby="deliveries">
<div class="card-head"><h2 id="deliveries">Deliveries${renderMeaning('delivery')}</h2><a class="button quiet" href="${here}">Refresh</a></div>
${
  deliveries.length === 0
    ? renderEmpty({
        title: cursor === undefined ? 'Nothing has been sent yet' : 'No more deliveries',
        text:
          cursor !== undefined
            ? 'There are no older deliveries.'
            : canSend
              ? 'Send a test, or wait for the first event.'
              : 'The first event will be listed here.',
        level: 3,
      })
    : html`<p class="hint">The deliveries of at least the last 30 days, newest first.</p>
<ul class="deliveries">${deliveries.map((delivery) => renderDelivery(delivery, view))}</ul>`
}
${renderPages(view)}
</section>`;
}

function pageAddress(path: string, cursor: string): string {
  return `${path}?${new URLSearchParams({ cursor }).toString()}`;
}

function renderPages({ next, cursor, path }: DeliveriesView): Html | false {
  return (
    (next !== null || cursor !== undefined) &&
    html`<nav class="pagination" aria-label="Pages of deliveries"><p class="actions">${
      cursor !== undefined && html`<a class="button quiet" href="${path}">Newest deliveries</a>`
    }${next !== null && html`<a class="button quiet" rel="next" href="${pageAddress(path, next)}">Older deliveries</a>`}</p></nav>`
  );
}

function renderDelivery(delivery: Delivery, view: DeliveriesView): Html {
  const { type, state, created_at, replays, attempts, payload } = delivery;
  const [tone, word] = DELIVERY_WORDS[state];
  const subject = findSubject(delivery);
  const name = nameType(type);
  return html`<li>
<div class="delivery"><div>
<h3>${name} <span class="tag ${tone}">${word}</span></h3>
<p class="hint">${renderTime(created_at)}${replays !== null && ', a replay of an earlier delivery'}</p>
<p>${describeProgress(delivery, view.now)}</p></div>
${renderReplay(delivery, view)}</div>
<div class="folds">${subject !== null && html`<a class="tap" href="${subject.href}">${subject.label}</a>`}
${hasReply(attempts) && html`<details><summary>${attempts.length === 1 ? 'The reply' : `The ${attempts.length} attempts`}</summary>${renderAttempts(attempts)}</details>`}
<details><summary>The event</summary><pre>${JSON.stringify(payload, null, 2)}</pre></details></div>
</li>`;
}

/** Returns whether there is more to show than how the last attempt ended. */
function hasReply(attempts: Delivery['attempts']): boolean {
  return attempts.length > 1 || Boolean(attempts[0]?.reply);
}

/** Returns how the last attempt ended, and what follows. */
function describeProgress({ state, attempts, next_attempt_at: next }: Delivery, now: Date): Html {
  const last = attempts.at(-1);
  const ended = last === undefined ? '' : `${describeAttempt(last)}. `;
  if (state === 'skipped') {
    const reason = 'The webhook was turned off, or the plan no longer included it, before an attempt succeeded.';
    return html`${ended}${reason}`;
  }
  if (state === 'failed') {
    return html`${ended}${attempts.length > 1 && 'It is not sent again, because it failed for three days.'}`;
  }
  if (state === 'delivered') return html`${ended}`;
  const which = last === undefined ? 'first' : 'next';
  return next !== null && Date.parse(next) > now.getTime()
    ? html`${ended}The ${which} attempt is due ${renderTime(next)}.`
    : html`${ended}The ${which} attempt is under way, or starts in a moment. Refresh to see the reply.`;
}

function renderAttempts(attempts: Delivery['attempts']): Html {
  return html`<ol class="attempts">${attempts.map(
    (attempt) => html`
<li><p>${describeAttempt(attempt)}</p>
<p class="hint">${renderTime(attempt.started_at)}</p>
${
  attempt.reply !== null &&
  (attempt.reply === '' ? html`<p class="hint">The reply was empty.</p>` : html`<pre>${attempt.reply}</pre>`)
}</li>`,
  )}
</ol>`;
}

/** Renders the button that sends the event of a delivery again. A delivery that has not ended is sent again anyway. */
function renderReplay(
  { id, type, state, created_at }: Delivery,
  { path, key, canSend, isOn }: DeliveriesView,
): Html | false {
  const canReplay = canSend && state !== 'pending' && (isOn || type === WEBHOOK_TEST_EVENT);
  return (
    canReplay &&
    html`<form method="post" action="${path}/replay">${hidden('key', key)}${hidden('delivery', id)}<button class="quiet">Replay<span class="away"> ${nameType(type)} of ${created_at}</span></button></form>`
  );
}
