import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { IdentityContext } from '../context.ts';
import { asking } from './asking.ts';
import { endGrant } from './grants.ts';
import { grantOfUsedRecord } from './records.ts';

/**
 * Ends the grant when a code or a refresh token comes again that was used before, whatever else the request was refused
 * for. By itself the library does that only for a request that is right in every other way, and whoever has stolen a
 * code lacks its verifier.
 */
export function endReused(provider: Provider, context: IdentityContext): void {
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    if (oidc?.route !== 'token' || ctx.status < 400 || ctx.status > 499) return;
    await endUsed(context, 'AuthorizationCode', oidc.params?.code);
    await endUsed(context, 'RefreshToken', oidc.params?.refresh_token);
  });
}

async function endUsed(context: IdentityContext, model: string, id: unknown): Promise<void> {
  const grantId = typeof id === 'string' ? await grantOfUsedRecord(context.database, model, id) : null;
  if (grantId === null) return;
  await endGrant(context, grantId, { kind: 'token_reuse_detected', origin: asking.getStore()?.origin });
}
