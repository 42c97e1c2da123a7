import type { IncomingMessage } from 'node:http';
import type { Client, Provider } from 'oidc-provider';
import type { IdentityContext } from '../context.ts';
import { asking } from './asking.ts';
import type { BrowserSession } from './browser-session.ts';
import { NEW_GRANT_SECONDS, WEB_GRANT_SECONDS } from './lifetimes.ts';
import type { OAuth } from './oauth.ts';
import {
  describeQuestion,
  findQuestion,
  grantIdFor,
  pageOf,
  type Question,
  requireQuestion,
  scopesOf,
} from './questions.ts';
import { removeProviderSession } from './remove-records.ts';

export interface InteractionParts {
  readonly context: IdentityContext;
  readonly siteUrl: () => string;
  readonly provider: () => Promise<Provider>;
  readonly browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>;
}

/** The questions to a person at a browser, and their answers. */
export function openInteractions(
  parts: InteractionParts,
): Pick<OAuth, 'interaction' | 'signedIn' | 'consented' | 'refused'> {
  return {
    async interaction(request, response) {
      const provider = await parts.provider();
      const question = await findQuestion(provider, request, response);
      const client = question && (await provider.Client.find(String(question.params.client_id)));
      if (!question || !client) return null;
      const session = await parts.browserSession(request);
      const consents = question.prompt.name === 'consent' && isAsked(question, session);
      const seconds = session ? (parts.context.clock.now().getTime() - session.startedAt.getTime()) / 1_000 : 0;
      const signedIn = session && { accountId: session.accountId, seconds };
      return describeQuestion(question, client, { siteUrl: parts.siteUrl(), consents, signedIn });
    },

    async signedIn(request, response, accountId) {
      const provider = await parts.provider();
      const question = await requireQuestion(provider, request, response);
      if (question.session && question.session.accountId !== accountId) {
        // The provider would first ask to sign the other one out, by a page that needs a script.
        await removeProviderSession(parts.context.database, question.session.uid);
        question.session = undefined;
      }
      const session = await parts.browserSession(request);
      // Whoever was signed in already has not given a password now, and applications are told when it was.
      const ts = session?.accountId === accountId ? { ts: Math.floor(session.startedAt.getTime() / 1_000) } : {};
      question.result = { ...question.lastSubmission, login: { accountId, ...ts } };
      await question.persist();
      return question.returnTo;
    },

    async consented(request, response, origin) {
      const provider = await parts.provider();
      const question = await requireQuestion(provider, request, response);
      const session = await parts.browserSession(request);
      if (!isAsked(question, session)) return pageOf(question);
      const client = await provider.Client.find(String(question.params.client_id));
      // Removed while the person was thinking: the provider finds out and says so.
      if (!client) return question.returnTo;
      const by = { origin, sessionId: session?.id };
      const grantId = await asking.run(by, () => giveGrant(provider, question, client));
      return provider.interactionResult(request, response, { consent: { grantId } });
    },

    async refused(request, response) {
      const provider = await parts.provider();
      await requireQuestion(provider, request, response);
      const answer = { error: 'access_denied', error_description: 'The person at the browser refused.' };
      return provider.interactionResult(request, response, answer, { mergeWithLastSubmission: false });
    },
  };
}

/** Who is asked for consent may have signed out meanwhile, or be somebody else by now. */
function isAsked({ session: asked }: Question, session: BrowserSession | null): boolean {
  return asked !== undefined && session?.accountId === asked.accountId;
}

/** A grant for each consent, so that ending one of them ends nothing else. */
async function giveGrant(provider: Provider, question: Question, client: Client): Promise<string> {
  const scopes = scopesOf(question.params);
  const asksEachTime = scopes.includes('offline_access') || client.applicationType === 'native';
  const properties = {
    jti: grantIdFor(question),
    accountId: question.session?.accountId,
    clientId: client.clientId,
    expiresIn: asksEachTime ? NEW_GRANT_SECONDS : WEB_GRANT_SECONDS,
  };
  const grant = new provider.Grant(properties);
  grant.addOIDCScope(scopes);
  for (const resource of [question.params.resource].flat()) grant.addResourceScope(String(resource), scopes);
  return grant.save();
}
