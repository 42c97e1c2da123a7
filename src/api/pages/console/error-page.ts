import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../contract/index.ts';
import { startErrorResponse } from '../../edge/error-response.ts';
import { type Html, html } from '../html.ts';
import type { ConsolePage } from './document.ts';

const TITLES: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'There is nothing here',
  METHOD_NOT_ALLOWED: 'This page cannot do that',
  RATE_LIMITED: 'Too many requests',
  QUOTA_EXCEEDED: 'Your credits are used up',
  PROVIDER_FAILED: 'The data provider does not respond',
  ORIGIN_DENIED: 'This request came from another site',
  UNAVAILABLE: 'Temporarily unavailable',
  INTERNAL: 'Something went wrong',
};

/** Sets the status and headers of an error response. @returns the page that explains the error */
export function describeError(error: unknown, request: FastifyRequest, reply: FastifyReply): ConsolePage {
  const { code, status, message, details } = startErrorResponse(error, request, reply);
  const title = TITLES[code] ?? 'This did not work';
  return {
    title,
    status,
    failed: true,
    body: html`<div class="card stack">
<h1>${title}</h1>
<p role="alert">${message}</p>
${renderRemedy(status, details.retryAfter)}
<p class="hint">Request ${request.id}</p>
</div>`,
  };
}

function renderRemedy(status: number, retryAfter: number | undefined): Html {
  if (status === 401) return html`<p><a class="button" href="/auth/sign-in">Sign in</a></p>`;
  if (retryAfter !== undefined) return html`<p>Try again in ${retryAfter} seconds.</p>`;
  return html`<p><a class="button quiet" href="/">Go to the start page</a></p>`;
}
