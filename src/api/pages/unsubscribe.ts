import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { countRequest, enforceLimits } from '../edge/admit.ts';
import type { ApiParts } from '../parts.ts';
import { form } from './forms.ts';
import { html, type Page } from './html.ts';
import { sendErrorPage, sendPage } from './serve-pages.ts';
import { listMailKinds, type MailKind } from './unsubscribe-kinds.ts';

/** The body `List-Unsubscribe=One-Click` is far smaller. */
const BODY_LIMIT = 16 * 1024;

/**
 * Registers the pages that turn off emails, one for each kind of emails. Mailbox providers send the request of RFC 8058
 * from their own machines. They send no cookies, use either kind of form, and follow no redirects. The pages therefore
 * check only the token in the URL. They ignore cookies, so a page of another site cannot use them on behalf of a signed-in
 * account.
 */
export async function registerUnsubscribe(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, _body, done) => {
      done(null, undefined);
    });
    context.setErrorHandler(sendErrorPage);
    for (const kind of listMailKinds(parts)) registerKind(context, parts, kind);
  });
}

function registerKind(context: FastifyInstance, parts: ApiParts, kind: MailKind): void {
  const { path, readAccountId, turnOff } = kind;
  const route = (handler: (token: string, accountId: string) => Promise<Page>) => ({
    compress: false as const,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      countToken(parts, await readAccountId(tokenOf(request)), request, reply),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const token = tokenOf(request);
      const accountId = await readAccountId(token);
      return sendPage(reply, accountId === null ? invalidLinkPage(kind) : await handler(token, accountId));
    },
  });
  context.get(
    path,
    route(async (token) => confirmPage(kind, token)),
  );
  context.post(
    path,
    route(async (_token, accountId) => {
      await turnOff(accountId);
      return donePage(kind);
    }),
  );
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
function confirmPage({ path, emails, stays }: MailKind, token: string): Page {
  return {
    title: `Turn off ${emails}`,
    body: html`<div class="card stack">
<h1>Turn off ${emails}</h1>
<p>${stays} You can turn emails on again at any time.</p>
${form(`${path}?token=${encodeURIComponent(token)}`, html`<button class="whole">Turn off emails</button>`)}
</div>`,
  };
}

function donePage({ emails, stays, next }: MailKind): Page {
  const title = `${capitalize(emails)} are turned off`;
  return {
    title,
    body: html`<div class="card stack">
<h1>${title}</h1>
<p role="status">You will no longer get these emails. ${stays}</p>
<p><a class="tap" href="${next.href}">${next.label}</a></p>
</div>`,
  };
}

function invalidLinkPage({ emails, switches }: MailKind): Page {
  return {
    title: 'This link does not work',
    status: 404,
    failed: true,
    body: html`<div class="card stack">
<h1>This link does not work</h1>
<p role="alert">Part of the link is missing or wrong. Open it from the email again, or sign in and turn the emails off there.</p>
<p><a class="tap" href="${switches}">${capitalize(emails)}</a></p>
</div>`,
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
