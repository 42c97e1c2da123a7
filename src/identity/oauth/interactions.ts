import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client, Interaction, Provider } from 'oidc-provider';
import type { IdentityContext } from '../context.ts';
import { interactionEnded, redirectUriWithdrawn } from '../faults.ts';
import { readIdTokenHint } from './authorization-request.ts';
import { documentHost, findResource, isDocumentId, NEW_GRANT_SECONDS, WEB_GRANT_SECONDS } from './configuration.ts';
import { findDocumentFault } from './fetch-documents.ts';
import {
  type BrowserSession,
  type DocumentClient,
  type InteractionDetails,
  OAUTH_MOUNT,
  type OAuth,
  requestScope,
} from './oauth.ts';
import { removeProviderSession } from './records.ts';

interface InteractionParts {
  readonly context: IdentityContext;
  readonly siteUrl: () => string;
  readonly provider: () => Promise<Provider>;
  readonly browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>;
}

/** Creates the functions of the provider that the login and consent pages use. */
export function openInteractions(
  parts: InteractionParts,
): Pick<OAuth, 'readInteraction' | 'completeLogin' | 'grantConsent' | 'denyConsent'> {
  return {
    async readInteraction(request, response) {
      const provider = await parts.provider();
      const interaction = await findInteraction(provider, request, response);
      const client = interaction && (await findClient(provider, interaction));
      if (!interaction || !client) return null;
      const session = await parts.browserSession(request);
      const isConsent = interaction.prompt.name === 'consent' && isForSession(interaction, session);
      const seconds = session ? (parts.context.clock.now().getTime() - session.startedAt.getTime()) / 1_000 : 0;
      const signedIn = session && { accountId: session.accountId, seconds };
      return describeInteraction(interaction, client, { siteUrl: parts.siteUrl(), isConsent, signedIn });
    },

    async completeLogin(request, response, accountId) {
      const provider = await parts.provider();
      const interaction = await requireInteraction(provider, request, response);
      if (interaction.session && interaction.session.accountId !== accountId) {
        // Otherwise the provider would first sign the other account out, with a page that needs a script.
        await removeProviderSession(parts.context.database, interaction.session.uid);
        interaction.session = undefined;
      }
      const session = await parts.browserSession(request);
      // The provider reports to applications when the password was entered, which may have been before this request.
      const ts = session?.accountId === accountId ? { ts: Math.floor(session.startedAt.getTime() / 1_000) } : {};
      interaction.result = { ...interaction.lastSubmission, login: { accountId, ...ts } };
      await interaction.persist();
      return interaction.returnTo;
    },

    async grantConsent(request, response, origin) {
      const provider = await parts.provider();
      const interaction = await requireInteraction(provider, request, response);
      const session = await parts.browserSession(request);
      if (!isForSession(interaction, session)) return pageUrl(interaction);
      const client = await findClient(provider, interaction);
      // The application was removed while the page was open. The provider reports the error.
      if (!client) return interaction.returnTo;
      // The document can have changed since the page was opened, and the provider does not compare it again.
      if (!client.redirectUriAllowed(String(interaction.params.redirect_uri))) throw redirectUriWithdrawn();
      const scope = { origin, sessionId: session?.id, documentClient: toDocumentClient(client) };
      const grantId = await requestScope.run(scope, () => createGrant(provider, interaction, client));
      return provider.interactionResult(request, response, { consent: { grantId } });
    },

    async denyConsent(request, response) {
      const provider = await parts.provider();
      await requireInteraction(provider, request, response);
      const result = { error: 'access_denied', error_description: 'The owner of the account denied access.' };
      return provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
    },
  };
}

/** Returns whether the account whose consent is requested is the signed-in one. */
function isForSession({ session: provider }: Interaction, session: BrowserSession | null): boolean {
  return provider !== undefined && session?.accountId === provider.accountId;
}

/** Creates a grant for this consent only, so that ending it does not affect other grants. */
async function createGrant(provider: Provider, interaction: Interaction, client: Client): Promise<string> {
  const scopes = readScopes(interaction.params);
  const requiresConsentEachTime = scopes.includes('offline_access') || client.applicationType === 'native';
  const properties = {
    jti: grantIdFor(interaction),
    accountId: interaction.session?.accountId,
    clientId: client.clientId,
    expiresIn: requiresConsentEachTime ? NEW_GRANT_SECONDS : WEB_GRANT_SECONDS,
  };
  const grant = new provider.Grant(properties);
  grant.addOIDCScope(scopes);
  for (const resource of [interaction.params.resource].flat()) grant.addResourceScope(String(resource), scopes);
  return grant.save();
}

/** Returns the client of an interaction. Throws a fault if a document describes it that can no longer be read. */
async function findClient(provider: Provider, { params }: Interaction): Promise<Client | undefined> {
  try {
    return await provider.Client.find(String(params.client_id));
  } catch (error) {
    throw findDocumentFault(error) ?? error;
  }
}

function toDocumentClient({ clientId, clientName, clientUri, redirectUris }: Client): DocumentClient | undefined {
  if (!isDocumentId(clientId)) return undefined;
  return {
    id: clientId,
    name: clientName ?? clientId,
    uri: clientUri ?? null,
    redirect_uris: [...(redirectUris ?? [])],
  };
}

/** Returns the interaction that this request belongs to, or null if there is none or it has ended. */
async function findInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction | null> {
  try {
    return await provider.interactionDetails(request, response);
  } catch (error) {
    if ((error as Error).name === 'SessionNotFound') return null;
    throw error;
  }
}

async function requireInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction> {
  const interaction = await findInteraction(provider, request, response);
  if (interaction) return interaction;
  throw interactionEnded();
}

interface InteractionContext {
  readonly siteUrl: string;
  readonly isConsent: boolean;
  /** The account that is signed in with this browser, and the number of seconds since the sign-in. */
  readonly signedIn: { readonly accountId: string; readonly seconds: number } | null;
}

function describeInteraction(
  { uid, params, prompt, session }: Interaction,
  client: Client,
  { siteUrl, isConsent, signedIn }: InteractionContext,
): InteractionDetails {
  const hint = readIdTokenHint(params);
  const isTooOld = (signedIn?.seconds ?? 0) > Number(params.max_age ?? Infinity);
  const isOtherAccount = signedIn !== null && hint !== null && hint.sub !== signedIn.accountId;
  return {
    uid,
    prompt: isConsent ? 'consent' : 'login',
    passwordRequired: prompt.reasons.includes('login_prompt') || isTooOld || isOtherAccount,
    client: {
      id: client.clientId,
      name: client.clientName ?? client.clientId,
      uri: client.clientUri ?? null,
      host: documentHost(client.clientId),
    },
    accountId: isConsent ? (session?.accountId ?? null) : null,
    scopes: readScopes(params),
    resource: findResource(String(params.resource), siteUrl) ?? 'api',
    redirectUri: String(params.redirect_uri),
    loginHint: typeof params.login_hint === 'string' ? params.login_hint : (hint?.email ?? null),
  };
}

function readScopes(params: Interaction['params']): string[] {
  return String(params.scope ?? '')
    .split(' ')
    .filter(Boolean);
}

/** Derives the id of the grant from the interaction, so that a second click does not create a second grant. */
function grantIdFor({ uid }: Interaction): string {
  return `grt_${hash('sha256', uid, 'base64url').slice(0, 26)}`;
}

/** Returns the URL of the page on which the interaction takes place. */
function pageUrl({ uid }: Interaction): string {
  return `${OAUTH_MOUNT}/interaction/${uid}`;
}
