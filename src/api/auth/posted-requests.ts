import type { FastifyInstance } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { OAUTH_MOUNT, OAUTH_ROUTES } from '../../identity/index.ts';
import { countRequest } from '../edge/admit.ts';
import { sendFailure } from '../pages/account/http/send-failure.ts';
import type { ApiParts } from '../parts.ts';

/** What fits into an address, where it goes. */
const FORM_LIMIT = 8 * 1024;

const FORM = 'application/x-www-form-urlencoded';

/**
 * An application may send its request as a form, too (OpenID Connect Core, 3.1.2.1). The browser is told to ask again by
 * an address: with a form of another site it sends none of our cookies, and nobody would be signed in.
 */
export async function registerPostedRequests(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, form, done) =>
      done(null, form),
    );
    context.setErrorHandler(sendFailure);
    context.addHook('onRequest', (request, reply) => countRequest(parts, ANONYMOUS, request, reply));
    const url = `${OAUTH_MOUNT}${OAUTH_ROUTES.authorization}`;
    context.post(url, async ({ body }, reply) => {
      const query = new URLSearchParams(typeof body === 'string' ? body : '');
      return reply.header('cache-control', 'no-store').redirect(`${url}?${query}`, 303);
    });
  });
}
