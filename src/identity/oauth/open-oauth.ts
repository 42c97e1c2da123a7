import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';
import { type Log, readSigningKey } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { asking } from './asking.ts';
import { type BrowserSession, findBrowserSession } from './browser-session.ts';
import { buildProvider } from './build-provider.ts';
import type { ErrorPage } from './error-answers.ts';
import { withAddressFor } from './hand-over.ts';
import { holdKeys } from './held-keys.ts';
import { openInteractions } from './interactions.ts';
import type { OAuth } from './oauth.ts';

export interface OAuthOptions {
  /** Asked for at the first use: it may depend on the port that we were given. */
  readonly siteUrl: () => string;
  readonly log: Log;
  /** The secret of the browser session that a request carries. */
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
  readonly errorPage: ErrorPage;
}

/** Opens the provider. Nothing is loaded, read or made before it is first used. */
export function openOAuth(context: IdentityContext, options: OAuthOptions): OAuth {
  const keys = holdKeys(context);
  const browserSession = async (request: IncomingMessage): Promise<BrowserSession | null> => {
    const secret = options.sessionSecret(request);
    return secret === undefined ? null : findBrowserSession(context, secret);
  };

  let built: { readonly name: string; readonly provider: Promise<Provider> } | undefined;

  /** The provider as of now: another one when the site's address or the keys have changed. */
  const current = async (): Promise<Provider> => {
    const held = await keys.current();
    const siteUrl = options.siteUrl();
    const name = [siteUrl, ...held.map(({ kid }) => kid)].join(' ');
    if (built?.name === name) return built.provider;
    const provider = build(siteUrl, held);
    const candidate = { name, provider };
    built = candidate;
    provider.catch(() => {
      if (built === candidate) built = undefined;
    });
    return provider;
  };

  const build = async (siteUrl: string, held: Awaited<ReturnType<typeof keys.current>>): Promise<Provider> =>
    buildProvider({
      context,
      siteUrl,
      log: options.log,
      keys: held,
      cookieKey: (await readSigningKey(context.database, 'oauth-cookies')).toString('base64url'),
      browserSession,
      errorPage: options.errorPage,
    });

  return {
    ...openInteractions({ context, siteUrl: options.siteUrl, provider: current, browserSession }),
    async ready() {
      await current();
    },
    async handle(request, response, { path, origin, waitFor }) {
      const answer = (await current()).callback();
      const address = { path, siteUrl: options.siteUrl() };
      await asking.run({ origin, waitFor }, () => withAddressFor(request, address, () => answer(request, response)));
    },
  };
}
