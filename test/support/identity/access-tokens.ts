import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { createClient, type IdentityContext } from '../../../src/identity/index.ts';
import { saveGrant } from '../../../src/identity/oauth/adapter.ts';
import { newRecord } from '../../../src/identity/oauth/records.ts';
import { readSigningKeys } from '../../../src/identity/oauth/signing-keys.ts';
import { newId } from '../../../src/platform/index.ts';
import { SITE_URL } from '../api/api.ts';
import type { Credentials } from './callers.ts';

export interface MintedToken {
  readonly token: string;
  readonly credentials: Credentials;
  readonly grantId: string;
  readonly clientId: string;
}

export interface Minting {
  readonly siteUrl?: string;
  /** Claims that replace or extend those of the provider. Undefined removes a claim. */
  readonly claims?: JWTPayload;
  readonly header?: Readonly<Record<string, unknown>>;
}

let created = 0;

/** Creates an access token as the provider does, under a real grant and with the real key, but without a browser. */
export async function mintAccessToken(
  identity: IdentityContext,
  accountId: string,
  minting: Minting = {},
): Promise<MintedToken> {
  const { client_id: clientId } = await createClient(identity, {
    name: `application ${++created}`,
    redirectUris: ['https://app.example/callback'],
  });
  const grantId = newId('app').replace('app', 'grt');
  const grant = newRecord(identity.clock.now(), 'Grant', grantId, { accountId, clientId }, 3_600);
  await saveGrant(identity, grant);
  const token = await signAccessToken(identity, { accountId, clientId, grantId }, minting);
  return { token, credentials: { authorization: `Bearer ${token}` }, grantId, clientId };
}

/** Creates another token under an existing grant. */
export async function signAccessToken(
  identity: IdentityContext,
  holder: { accountId: string; clientId: string; grantId: string },
  { siteUrl = SITE_URL, claims = {}, header = {} }: Minting = {},
): Promise<string> {
  const [key] = await readSigningKeys(identity);
  if (!key) throw new Error('The provider has no signing key.');
  const now = Math.floor(identity.clock.now().getTime() / 1_000);
  const payload = {
    iss: `${siteUrl}/auth`,
    aud: siteUrl,
    sub: holder.accountId,
    client_id: holder.clientId,
    grant_id: holder.grantId,
    jti: newId('key'),
    scope: 'openid profile email',
    iat: now,
    exp: now + 900,
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(key.private_jwk as never, 'ES256'));
}
