import type { Provider, errors as ProviderErrors, TokenEndpointGrantContext } from 'oidc-provider';
import { asking } from './asking.ts';
import { isSite } from './resource.ts';

export interface TokenRules {
  readonly siteUrl: string;
  readonly errors: typeof ProviderErrors;
}

type Handler<Params extends object> = (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>;

/**
 * A provider that looks at a token request of a known client before it uses up the code or the refresh token in it: what
 * is refused here can be asked for again, and is not taken for theft then.
 */
export function withTokenChecks(Base: typeof Provider, rules: TokenRules): typeof Provider {
  return class extends Base {
    /** The library calls it for each of its own grant types while it is being built. */
    override registerGrantType<Params extends object>(
      name: string,
      handle: Handler<Params>,
      params?: string | readonly string[] | ReadonlySet<string>,
      duplicates?: string | readonly string[] | ReadonlySet<string>,
    ): void {
      const checked: Handler<Params> = async (ctx) => {
        await checkTokenRequest(ctx, rules);
        await handle(ctx);
      };
      super.registerGrantType<Params>(name, checked, params, duplicates);
    }
  };
}

async function checkTokenRequest(ctx: TokenEndpointGrantContext, rules: TokenRules): Promise<void> {
  const { params, client } = ctx.oidc;
  await limit(ctx, client.clientId, rules);
  if (params.resource !== undefined) params.resource = checkedResource([params.resource].flat(), rules);
  // Every token says who it is for, also one of fewer scopes.
  if (params.scope !== undefined && !params.scope.split(' ').includes('openid')) {
    throw new rules.errors.InvalidScope('scope must have openid in it', 'openid');
  }
}

function checkedResource(resources: readonly string[], { siteUrl, errors }: TokenRules): string {
  if (resources.every((resource) => isSite(resource, siteUrl))) return siteUrl;
  throw new errors.InvalidTarget(`resource must be ${siteUrl}`);
}

async function limit(ctx: TokenEndpointGrantContext, clientId: string, { errors }: TokenRules): Promise<void> {
  const seconds = await asking.getStore()?.waitFor?.(clientId);
  if (!seconds) return;
  ctx.set('retry-after', String(seconds));
  const error = new errors.TemporarilyUnavailable(`Too many requests of this application. Wait ${seconds} s.`);
  throw Object.assign(error, { status: 429, statusCode: 429 });
}
