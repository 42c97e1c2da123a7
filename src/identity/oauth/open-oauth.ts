import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';
import { createSigningKeysReader, type Log, type OutboundReply, type SigningKeys } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { authenticateSession } from '../sessions/browser-sessions.ts';
import { completeAuthorization } from './authorization-request.ts';
import { buildProvider } from './build-provider.ts';
import { OAUTH_ROUTES } from './configuration.ts';
import { openClientDocuments } from './fetch-documents.ts';
import { openInteractions } from './interactions.ts';
import { type BrowserSession, type ErrorPage, OAUTH_MOUNT, type OAuth, requestScope } from './oauth.ts';
import { cacheSigningKeys, type SigningKey } from './signing-keys.ts';
import type { OAuthTables } from './tables.ts';

export interface OAuthOptions {
  /** Called only when the provider is used, because the URL can depend on the port that the system assigned. */
  readonly siteUrl: () => string;
  readonly log: Log;
  /** Returns the secret of the browser session in the cookies of a request. */
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
  readonly errorPage: ErrorPage;
  /** Sends a GET request to an address that others named, here for the document that describes an application. */
  readonly getDocument: (url: string) => Promise<OutboundReply>;
}

/** Creates the provider. It loads the library and reads or creates keys only when it is first used. */
export function openOAuth(context: IdentityContext, options: OAuthOptions): OAuth {
  const keyCache = cacheSigningKeys(context);
  const readCookieKeys = createSigningKeysReader(context.database, 'oauth-cookies');
  const documents = openClientDocuments({ clock: context.clock, get: options.getDocument });
  const browserSession = async (request: IncomingMessage): Promise<BrowserSession | null> => {
    const secret = options.sessionSecret(request);
    return secret === undefined ? null : findBrowserSession(context, secret);
  };

  let built: { readonly name: string; readonly provider: Promise<Provider> } | undefined;

  /** Returns the provider. Builds a new one if the site's URL or the keys have changed. */
  const currentProvider = async (): Promise<Provider> => {
    const keys = await keyCache.current();
    const cookieKeys = listCookieKeys(await readCookieKeys());
    const siteUrl = options.siteUrl();
    const name = [siteUrl, ...keys.map(({ kid }) => kid), ...cookieKeys].join(' ');
    if (built?.name === name) return built.provider;
    const provider = build(siteUrl, keys, cookieKeys);
    const candidate = { name, provider };
    built = candidate;
    provider.catch(() => {
      if (built === candidate) built = undefined;
    });
    return provider;
  };

  const build = (siteUrl: string, keys: readonly SigningKey[], cookieKeys: readonly string[]): Promise<Provider> =>
    buildProvider({
      context,
      siteUrl,
      log: options.log,
      keys,
      cookieKeys,
      browserSession,
      errorPage: options.errorPage,
      documents,
    });

  return {
    ...openInteractions({ context, siteUrl: options.siteUrl, provider: currentProvider, browserSession }),
    async ready() {
      await currentProvider();
    },
    async handle(request, response, { path, origin, countTokenRequest }) {
      const answer = (await currentProvider()).callback();
      const target = { path, siteUrl: options.siteUrl() };
      const usesStoredClients = !path.startsWith(OAUTH_ROUTES.authorization);
      await requestScope.run({ origin, countTokenRequest, usesStoredClients }, () =>
        withMountUrl(request, target, () => answer(request, response)),
      );
    },
  };
}

/** Returns the keys in the form that the library expects, the one that signs first. */
function listCookieKeys({ signing, accepted }: SigningKeys): readonly string[] {
  const others = accepted.filter(({ number }) => number !== signing.number);
  return [signing, ...others].map(({ secret }) => secret.toString('base64url'));
}

async function findBrowserSession(context: IdentityContext, secret: string): Promise<BrowserSession | null> {
  const account = await authenticateSession(context, secret);
  if (!account) return null;
  const { credentialId: id, accountId } = account;
  const session = await context.database
    .query<OAuthTables>()
    .selectFrom('browser_session')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return session ? { id, accountId, startedAt: session.created_at } : null;
}

/** The endpoint that a request is sent to. */
export interface RequestTarget {
  /** The path below the mount, without the query. */
  readonly path: string;
  readonly siteUrl: string;
}

/**
 * Runs the work with the URL of the request changed to the one that the provider expects below its mount. Restores the
 * original URL afterwards, because the log reports the URL that was requested.
 */
export async function withMountUrl<Result>(
  request: IncomingMessage & { originalUrl?: string },
  { path, siteUrl }: RequestTarget,
  work: () => Promise<Result>,
): Promise<Result> {
  const { url = '', originalUrl } = request;
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start);
  const innerUrl = `${path}${path === OAUTH_ROUTES.authorization ? completeAuthorization(query, siteUrl) : query}`;
  request.url = innerUrl;
  // The provider derives its mount path from the difference between these two.
  request.originalUrl = `${OAUTH_MOUNT}${innerUrl}`;
  try {
    return await work();
  } finally {
    request.url = url;
    if (originalUrl === undefined) delete request.originalUrl;
    else request.originalUrl = originalUrl;
  }
}
