import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../access/index.ts';
import { openUnsubscribeTokens, unsubscribe } from '../../../screener/index.ts';
import { countAgainst, countRequest } from '../../edge/admit.ts';
import type { ApiParts } from '../../parts.ts';
import { sendFailure } from '../account/http/send-failure.ts';
import { sendPage } from '../account/http/send-page.ts';
import type { Page } from '../account/markup/document.ts';
import { form } from '../account/markup/form.ts';
import { html } from '../account/markup/html.ts';

const PATH = '/screener/unsubscribe';

/** `List-Unsubscribe=One-Click` in any of its spellings, many times over. */
const BODY_LIMIT = 16 * 1024;

/**
 * Where the mails about filters are ended. The token in the address is all that counts: mailbox providers send the
 * request of RFC 8058 from their own machines, without a cookie, as either kind of form, and follow no redirect. So
 * there is nothing here that a page of another site could make a browser do in somebody's name.
 */
export async function registerUnsubscribe(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, _body, done) => {
      done(null, undefined);
    });
    context.setErrorHandler(sendFailure);
    const accountOf = openUnsubscribeTokens(parts.database);
    const route = (answer: (token: string, accountId: string) => Promise<Page>) => ({
      compress: false as const,
      onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
        countToken(parts, await accountOf(tokenOf(request)), request, reply),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const token = tokenOf(request);
        const accountId = await accountOf(token);
        return sendPage(reply, accountId === null ? UNKNOWN : await answer(token, accountId));
      },
    });
    context.get(
      PATH,
      route(async (token) => askPage(token)),
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
 * A good token counts for its account: a mailbox provider sends the requests of all its users from few addresses, and
 * none of them may be turned away because of the others. Whoever has no good one is counted as anybody without a name.
 */
async function countToken(
  parts: ApiParts,
  accountId: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (accountId === null) return countRequest(parts, ANONYMOUS, request, reply);
  const requests = parts.config.requestsPerMinute.anonymous;
  await countAgainst(parts.limiter, [{ key: `unsubscribe:${accountId}`, requests }], reply);
}

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as Record<string, unknown>;
  return typeof token === 'string' ? token : '';
}

/** Asks first: mail programs open every link of a mail to look what is behind it. */
function askPage(token: string): Page {
  return {
    title: 'End the mails about your filters',
    body: html`<div class="card stack">
<h1>End the mails about your filters</h1>
<p>Your filters stay, and go on matching. You can ask for mails again at any time.</p>
${form(`${PATH}?token=${encodeURIComponent(token)}`, html`<button class="whole">End the mails</button>`)}
</div>`,
  };
}

const DONE: Page = {
  title: 'No more mails about your filters',
  body: html`<div class="card stack">
<h1>No more mails about your filters</h1>
<p role="status">None will be sent from now on. Your filters stay, and go on matching.</p>
</div>`,
};

const UNKNOWN: Page = {
  title: 'This link does not work',
  status: 404,
  failed: true,
  body: html`<div class="card stack">
<h1>This link does not work</h1>
<p role="alert">A part of it is missing. Open it from the mail again, or sign in and turn the mails off.</p>
<p><a class="tap" href="/auth/sign-in">Sign in</a></p>
</div>`,
};
