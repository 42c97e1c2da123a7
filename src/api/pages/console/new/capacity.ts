import type { Fault } from '../../../../contract/index.ts';
import { type Html, html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import { formatWait } from '../problem-words.ts';
import type { Visitor } from '../visitor.ts';

/** A forecast that takes a slot. */
export interface BusyForecast {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
}

interface Surroundings {
  readonly visitor: Visitor;
  readonly address: string;
}

/** Visitors do not wait longer than this in front of a form. */
const MAX_WAIT_SECONDS = 300;

/** Renders why no forecast can be made now, and what to do: wait, cancel one, sign in. */
export function renderNoCapacity(
  { message, details }: Fault,
  busy: readonly BusyForecast[],
  { visitor, address }: Surroundings,
): Html {
  const isGuest = visitor.principal.kind === 'guest';
  const isSlot = busy.length > 0;
  return html`<div class="state-panel problem" role="alert">
<h3>${isSlot ? 'Another forecast is still running' : 'No forecast can be made now'}</h3>
<p>${message}</p>${
    busy.length > 0 &&
    html`
<ul class="ticks">${busy.map(({ name, status }) => html`<li>${name} is ${status}.</li>`)}</ul>`
  }${
    isGuest &&
    html`
<p class="soft">An account is free and has more credits. This form stays as it is while you sign in.</p>`
  }
<p class="actions">${busy
    .slice(0, 1)
    .map(({ slug }) => html`<a class="button quiet" href="/forecasts/${slug}">Watch or cancel it</a>`)}${
    details.retryAfter !== undefined &&
    details.retryAfter <= MAX_WAIT_SECONDS &&
    html`<a class="button quiet" href="${address}">Try again in ${formatWait(details.retryAfter)}</a>`
  }${
    isGuest &&
    html`<a class="button quiet" href="${withReturnTo('/auth/sign-in', address)}">Sign in</a><a class="button quiet" href="${withReturnTo(
      '/auth/sign-up',
      address,
    )}">Create an account</a>`
  }</p>
</div>`;
}
