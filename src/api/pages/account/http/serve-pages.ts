import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../../access/index.ts';
import { authenticateSession } from '../../../../identity/index.ts';
import { countRequest } from '../../../edge/admit.ts';
import { cookieJar } from '../../../edge/cookies.ts';
import { ownOrigins, refuseForeignOrigin } from '../../../edge/same-origin.ts';
import { originOf } from '../../../limits/origin-of.ts';
import type { ApiParts } from '../../../parts.ts';
import { readForms } from './read-forms.ts';
import { sendFailure } from './send-failure.ts';
import { sendOn, sendPage } from './send-page.ts';
import { type PageHandler, type PageRoute, SeeOther, type Visit } from './visit.ts';

/** Puts pages on their paths, in a context of their own: forms are bodies here, and errors are pages. */
export async function servePages(app: FastifyInstance, parts: ApiParts, routes: readonly PageRoute[]): Promise<void> {
  await app.register(async (context) => {
    readForms(context);
    context.setErrorHandler(sendFailure);
    for (const { path, get, post } of routes) {
      if (get) context.get(path, routeOf(parts, get));
      if (post) context.post(path, routeOf(parts, post));
    }
  });
}

function routeOf(parts: ApiParts, answer: PageHandler) {
  return {
    // Hidden fields hold secrets beside text that others choose: such a page must not show by its size what it holds.
    compress: false as const,
    onRequest: (request: FastifyRequest, reply: FastifyReply) => admitVisit(parts, request, reply),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const answered = await answer(visitOf(parts, request, reply));
      return answered instanceof SeeOther ? sendOn(reply, answered) : sendPage(reply, answered);
    },
  };
}

/** Before the form is read: who is it, has it asked too often, and did a page of ours send it? */
async function admitVisit(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const secret = cookieJar(request, reply).get('session');
  request.principal = (secret && (await authenticateSession(parts.identity, secret))) || ANONYMOUS;
  await countRequest(parts, request.principal, request, reply);
  // Signing in counts as a write, too: another site must not sign its visitor in as somebody else.
  if (request.method === 'POST') refuseForeignOrigin(request.headers, ownOrigins(parts.siteUrl(), parts.config));
}

function visitOf(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    parts,
    request,
    reply,
    cookies: cookieJar(request, reply),
    account: request.principal?.kind === 'account' ? request.principal : null,
    address: request.ip,
    origin: originOf({ address: request.ip, userAgent: request.headers['user-agent'] ?? null }),
    form: request.body,
    query: request.query as Record<string, unknown>,
  };
}
