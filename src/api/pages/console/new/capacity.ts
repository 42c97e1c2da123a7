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
<p>${message}</p>
<ul class="ticks">${busy.map(
    ({ slug, name, status }) =>
      html`<li><a class="tap" href="/forecasts/${slug}">${name}</a> is ${status}. Open it to watch or cancel it.</li>`,
  )}${
    details.retryAfter !== undefined &&
    html`<li>Wait: <a class="tap" href="${address}">try again</a> in ${formatWait(details.retryAfter)}.</li>`
  }${
    isGuest &&
    html`<li><a class="tap" href="${withReturnTo('/auth/sign-in', address)}">Sign in</a> or <a class="tap" href="${withReturnTo(
      '/auth/sign-up',
      address,
    )}">create an account</a>: it is free, has more credits, and this form stays as it is.</li>`
  }</ul>
</div>`;
}
