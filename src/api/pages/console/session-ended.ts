import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookieJar, readCookie } from '../../edge/cookies.ts';
import { startErrorResponse } from '../../edge/error-response.ts';
import { sessionEnded } from '../../faults.ts';
import { html } from '../html.ts';
import { ownAddress, withReturnTo } from '../visit.ts';
import type { ConsolePage } from './document.ts';
import { newAddress, readChoices } from './new/choices.ts';

/**
 * Returns whether a form was sent by a browser whose session has ended since the form was opened. The form would be
 * handled as that of a guest, although the person believes to be signed in.
 */
export function hasEndedSession(request: FastifyRequest): boolean {
  const hasSession = readCookie(request, 'session') !== undefined;
  return request.method === 'POST' && hasSession && request.principal?.kind !== 'account';
}

/**
 * Sets the status and headers of the response to such a form, and removes the cookie of the session, so that the form
 * is handled as that of a guest if it is sent again.
 *
 * @returns the page that explains it
 */
export function describeEndedSession(request: FastifyRequest, reply: FastifyReply): ConsolePage {
  const { status, message } = startErrorResponse(sessionEnded(), request, reply);
  createCookieJar(request, reply).clear('session');
  const address = formAddress(request);
  // A guest has no part in the forecasts of an account, but may have made this one before the sign-in.
  const canContinue = request.routeOptions.url === NEW || request.principal?.kind === 'guest';
  const title = 'Your session has ended';
  return {
    title,
    status,
    failed: true,
    body: html`<div class="state-panel problem" role="alert">
<h1>${title}</h1>
<p>${message}</p>
<p class="actions"><a class="button" href="${withReturnTo('/auth/sign-in', address)}">Sign in</a>${
      canContinue && html`<a class="button quiet" href="${address}">Continue as a guest</a>`
    }</p>
<p class="hint">Request <code>${request.id}</code></p>
</div>`,
  };
}

const NEW = '/new';

/** Returns the address of the page of a form. That of a new forecast contains what was typed. */
function formAddress({ routeOptions, body, url }: FastifyRequest): string {
  const own = ownAddress(url);
  if (routeOptions.url !== NEW) return own;
  const typed = ownAddress(newAddress(readChoices((body ?? {}) as Record<string, unknown>)));
  // An address that is too long to continue at.
  return typed === '/' ? own : typed;
}
