import type { KoaContextWithOIDC, Provider, errors as ProviderErrors, TokenEndpointGrantContext } from 'oidc-provider';
import type { Executor } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { describeResources, findOneResource } from './configuration.ts';
import { endGrant } from './grants.ts';
import { requestScope } from './oauth.ts';
import { findGrantId, findRecord } from './records.ts';

export interface TokenRules {
  readonly siteUrl: string;
  readonly database: Executor;
  readonly errors: typeof ProviderErrors;
}

type Handler<Params extends object> = (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>;

/**
 * Returns a provider class that checks a token request of a known client before it consumes the code or the refresh
 * token. The client can repeat a request that is refused here, and the repetition does not count as reuse.
 */
export function withTokenChecks(Base: typeof Provider, rules: TokenRules): typeof Provider {
  return class extends Base {
    /** The constructor of the library calls this for each of its own grant types. */
    override registerGrantType<Params extends object>(
      name: string,
      handle: Handler<Params>,
      params?: string | readonly string[] | ReadonlySet<string>,
      duplicates?: string | readonly string[] | ReadonlySet<string>,
    ): void {
      const checkAndHandle: Handler<Params> = async (ctx) => {
        await checkTokenRequest(ctx, rules);
        await handle(ctx);
      };
      super.registerGrantType<Params>(name, checkAndHandle, params, duplicates);
    }
  };
}

async function checkTokenRequest(ctx: TokenEndpointGrantContext, rules: TokenRules): Promise<void> {
  const { params, client } = ctx.oidc;
  await limitClient(ctx, client.clientId, rules);
  if (params.resource !== undefined) params.resource = await requireGrantedResource(ctx, rules);
  // A token with fewer scopes must still name its account.
  if (params.scope !== undefined && !params.scope.split(' ').includes('openid')) {
    throw new rules.errors.InvalidScope('scope must include openid', 'openid');
  }
}

/** Returns the requested resource in the spelling of the provider. It must be the one of the authorization request. */
async function requireGrantedResource(
  { oidc: { params } }: TokenEndpointGrantContext,
  { siteUrl, database, errors }: TokenRules,
): Promise<string> {
  const resource = findOneResource([params.resource].flat().map(String), siteUrl);
  if (resource === null) throw new errors.InvalidTarget(describeResources(siteUrl));
  const [model, id] =
    params.code === undefined ? ['RefreshToken', params.refresh_token] : ['AuthorizationCode', params.code];
  const granted = typeof id === 'string' ? (await findRecord(database, model, id))?.resource : undefined;
  if (granted === undefined || [granted].flat().includes(resource)) return resource;
  throw new errors.InvalidTarget(`resource must be the one of the authorization request, ${granted}, or be omitted`);
}

async function limitClient(ctx: TokenEndpointGrantContext, clientId: string, { errors }: TokenRules): Promise<void> {
  const seconds = await requestScope.getStore()?.countTokenRequest?.(clientId);
  if (!seconds) return;
  ctx.set('retry-after', String(seconds));
  const error = new errors.TemporarilyUnavailable(`This application has sent too many requests. Wait ${seconds} s.`);
  throw Object.assign(error, { status: 429, statusCode: 429 });
}

/**
 * Ends the grant if a consumed code or refresh token is sent again, even in a request with other errors. The library does
 * so only for a request that is otherwise valid, which a thief without the code verifier cannot send.
 */
export function endReusedGrants(provider: Provider, context: IdentityContext): void {
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    if (oidc?.route !== 'token' || ctx.status < 400 || ctx.status > 499) return;
    await endGrantOfConsumed(context, 'AuthorizationCode', oidc.params?.code);
    await endGrantOfConsumed(context, 'RefreshToken', oidc.params?.refresh_token);
  });
}

async function endGrantOfConsumed(context: IdentityContext, model: string, id: unknown): Promise<void> {
  const grantId = typeof id === 'string' ? await findGrantId(context.database, model, id, { consumed: true }) : null;
  if (grantId === null) return;
  await endGrant(context, grantId, { kind: 'token_reuse_detected', origin: requestScope.getStore()?.origin });
}
