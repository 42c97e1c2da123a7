import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../../contract/index.ts';
import { count } from '../../../../platform/index.ts';
import { toFault } from '../../../edge/error-boundary.ts';
import { operationOf } from '../../../edge/watch-requests.ts';
import { html } from '../markup/html.ts';
import { sendPage } from './send-page.ts';

const TITLES: Partial<Record<ErrorCode, string>> = {
  RATE_LIMITED: 'Too many tries',
  ORIGIN_DENIED: 'This came from another site',
  TOO_LARGE: 'The form is too large',
  UNAVAILABLE: 'Not available just now',
  INTERNAL: 'Something went wrong',
};

const ADVICE: Partial<Record<ErrorCode, string>> = {
  ORIGIN_DENIED: 'Forms of this site can be sent from its own pages only. Open the page again and send the form there.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the form as application/x-www-form-urlencoded (UTF-8), without a Content-Encoding.',
  INTERNAL: 'This is a fault of ours. Try again; if it stays, give the people who run this site the number below.',
};

/** Whatever a page throws becomes a page, too: what happened, what to do, and the number under which the log has it. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toFault(error, request);
  const { status } = fault;
  if (fault.code === 'RATE_LIMITED') count('rate_limited_total', { operation: operationOf(request) });
  if (status === 429 || status === 503) reply.header('retry-after', String(fault.details.retryAfter ?? 1));
  return sendPage(reply, {
    title: TITLES[fault.code] ?? 'That did not work',
    status,
    failed: true,
    body: html`<div class="card stack">
<h1>${TITLES[fault.code] ?? 'That did not work'}</h1>
<p role="alert">${ADVICE[fault.code] ?? fault.message}</p>
<p><a class="tap" href="/auth/account">Go to your account</a></p>
<p class="hint">Request ${request.id}</p>
</div>`,
  });
}
