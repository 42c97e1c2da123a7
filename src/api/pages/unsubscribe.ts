import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { createUnsubscribeTokenReader, unsubscribe } from '../../screener/index.ts';
import { countRequest, enforceLimits } from '../edge/admit.ts';
import type { ApiParts } from '../parts.ts';
import { form } from './forms.ts';
import { html, type Page } from './html.ts';
import { sendErrorPage, sendPage } from './serve-pages.ts';

const PATH = '/screener/unsubscribe';

/** The body `List-Unsubscribe=One-Click` is far smaller. */
const BODY_LIMIT = 16 * 1024;

/**
 * Registers the page that turns off the emails about filters. Mailbox providers send the request of RFC 8058 from their
 * own machines. They send no cookies, use either kind of form, and follow no redirects. The page therefore checks only
 * the token in the URL. It ignores cookies, so a page of another site cannot use it on behalf of a signed-in account.
 */
export async function registerUnsubscribe(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, _body, done) => {
      done(null, undefined);
    });
    context.setErrorHandler(sendErrorPage);
    const readAccountId = createUnsubscribeTokenReader(parts.database);
    const route = (handler: (token: string, accountId: string) => Promise<Page>) => ({
      compress: false as const,
      onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
        countToken(parts, await readAccountId(tokenOf(request)), request, reply),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const token = tokenOf(request);
        const accountId = await readAccountId(token);
        return sendPage(reply, accountId === null ? INVALID_LINK : await handler(token, accountId));
      },
    });
    context.get(
      PATH,
      route(async (token) => confirmPage(token)),
    );
    context.post(
      PATH,
      route(async (_token, accountId) => {
        await unsubscribe(parts.screener, accountId);
        return DONE;
      }),
    );
  });
}

/**
 * Counts a request with a valid token against a limit of its account, because a mailbox provider sends the requests of
 * all its users from a few addresses. Any other request counts as anonymous.
 */
async function countToken(
  parts: ApiParts,
  accountId: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (accountId === null) {
    await countRequest(parts, ANONYMOUS, request, reply);
    return;
  }
  const requests = parts.config.requestsPerMinute.anonymous;
  await enforceLimits(parts.limiter, [{ key: `unsubscribe:${accountId}`, requests }], reply);
}

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as Record<string, unknown>;
  return typeof token === 'string' ? token : '';
}

/** Renders a form to confirm, because mail programs may open every link in an email to check it. */
function confirmPage(token: string): Page {
  return {
    title: 'Turn off emails about your filters',
    body: html`<div class="card stack">
<h1>Turn off emails about your filters</h1>
<p>Your filters are kept and still evaluated. You can turn emails on again at any time.</p>
${form(`${PATH}?token=${encodeURIComponent(token)}`, html`<button class="whole">Turn off emails</button>`)}
</div>`,
  };
}

const DONE: Page = {
  title: 'Emails about your filters are turned off',
  body: html`<div class="card stack">
<h1>Emails about your filters are turned off</h1>
<p role="status">You will no longer get these emails. Your filters are kept and still evaluated.</p>
<p><a class="tap" href="/screener">Your filters</a></p>
</div>`,
};

const INVALID_LINK: Page = {
  title: 'This link does not work',
  status: 404,
  failed: true,
  body: html`<div class="card stack">
<h1>This link does not work</h1>
<p role="alert">Part of the link is missing or wrong. Open it from the email again, or sign in and turn the emails off there.</p>
<p><a class="tap" href="/screener/mails">Emails about your filters</a></p>
</div>`,
};
