import type { Page } from '../markup/document.ts';
import { html } from '../markup/html.ts';
import { SeeOther, type Visit } from './visit.ts';

/**
 * Goes on to where redirects lead out of this site, after a form with a password in it. Its page lets forms lead to us
 * only, and Chrome would stop the redirects that follow; so they follow a page instead.
 *
 * @param options.byHand the person has to press: phones open an application for a press only, and the way can be gone once
 */
export function handOff({ request }: Visit, location: string, { byHand = false } = {}): Page | SeeOther {
  // Whoever checks redirects after a form sends this header, too. Others are spared the page.
  if (request.headers['sec-fetch-mode'] !== 'navigate') return new SeeOther(location);
  return {
    title: 'One moment',
    ...(byHand ? {} : { forwardTo: location }),
    body: html`<div class="card stack">
<h1>One moment</h1>
<p class="soft">You are on your way back to the application.</p>
<p><a class="button whole" href="${location}">Continue</a></p>
</div>`,
  };
}
