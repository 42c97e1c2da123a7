import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Log } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import { adapterOf } from './adapter.ts';
import { asking } from './asking.ts';
import type { BrowserSession } from './browser-session.ts';
import { configurationOf } from './configuration.ts';
import { endReused } from './end-reused.ts';
import { type ErrorPage, refuseFormPost, renderErrorWith, tidyAnswers } from './error-answers.ts';
import { endGrant } from './grants.ts';
import { OAUTH_MOUNT } from './oauth.ts';
import { grantOfRecord } from './records.ts';
import { followOurSession, followTheHint } from './session-check.ts';
import type { SigningKey } from './signing-keys.ts';
import { withTokenChecks } from './token-requests.ts';

export interface ProviderParts {
  readonly context: IdentityContext;
  readonly siteUrl: string;
  readonly log: Log;
  readonly keys: readonly SigningKey[];
  readonly cookieKey: string;
  /** Our own session at the browser of a request. */
  readonly browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>;
  readonly errorPage: ErrorPage;
}

/** Builds the provider. The library is loaded here and nowhere else: commands and most tests never need it. */
export async function buildProvider(parts: ProviderParts): Promise<Provider> {
  const { context, siteUrl, keys } = parts;
  const { default: OidcProvider, errors, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(followOurSession(interactionPolicy, parts.browserSession));
  policy.get('login')?.checks.add(followTheHint(interactionPolicy, errors));
  const CheckingProvider = withTokenChecks(OidcProvider, { siteUrl, errors });
  const provider = new CheckingProvider(`${siteUrl}${OAUTH_MOUNT}`, {
    ...configurationOf({
      siteUrl,
      database: context.database,
      cookieKey: parts.cookieKey,
      errors,
      policy,
      onGrantEnd: (ctx) => noteGrantEnd(context, ctx),
      renderError: renderErrorWith(parts.errorPage),
    }),
    adapter: adapterOf({
      context,
      invalidGrant: (detail) => new errors.InvalidGrant(detail),
      unavailable: (err) => {
        parts.log.error({ err }, 'database unavailable');
        const error = new errors.TemporarilyUnavailable('The database cannot be asked just now. Try again shortly.');
        return Object.assign(error, { status: 503, statusCode: 503 });
      },
    }),
    jwks: { keys: keys.map(({ kid, private_jwk }) => ({ ...private_jwk, kid, alg: 'ES256', use: 'sig' })) as never },
  });
  neverAskTheHostHeader(provider, siteUrl);
  compareSecretHashes(provider);
  tidyAnswers(provider, parts.log);
  refuseFormPost(provider, parts.errorPage);
  endReused(provider, context);
  return provider;
}

/** Addresses in answers are those of the site, whatever a request says of its host, protocol or proxies. */
function neverAskTheHostHeader(provider: Provider, siteUrl: string): void {
  const { protocol, host } = new URL(siteUrl);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    // Plain HTTP is served on loopback only, where browsers accept secure cookies as they do over TLS.
    secure: { get: () => true },
  });
}

/** We keep hashes of secrets, and the provider takes what we keep for the secret. */
function compareSecretHashes(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(this: { clientSecret?: string }, actual: string) {
    const [given, kept] = [Buffer.from(hashSecret(actual)), Buffer.from(this.clientSecret ?? '')];
    return given.length === kept.length && timingSafeEqual(given, kept);
  };
}

/** The provider is about to end a grant: at its token endpoint only because something was used twice. */
async function noteGrantEnd(context: IdentityContext, { oidc }: KoaContextWithOIDC): Promise<void> {
  const kind = oidc.route === 'token' ? 'token_reuse_detected' : 'grant_revoked';
  const code = oidc.params?.code;
  const grantId =
    oidc.entities.RefreshToken?.grantId ??
    (typeof code === 'string' ? await grantOfRecord(context.database, 'AuthorizationCode', code) : null);
  if (grantId) await endGrant(context, grantId, { kind, origin: asking.getStore()?.origin });
}
