import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto';
import { ErrorReply } from './bigquery-jobs.ts';

/** A service account, as the token endpoint of Google has it. */
export interface Account {
  readonly clientEmail: string;
  readonly keyId: string;
  readonly publicKey: KeyObject;
  /** The content of its key file, which names a token endpoint. */
  file(tokenUri: string): Readonly<Record<string, string>>;
}

let created: Account | undefined;

/** Returns a service account with a key of this process. */
export function testAccount(): Account {
  if (created !== undefined) return created;
  const clientEmail = 'reader@almanac-tests.iam.gserviceaccount.com';
  const keyId = randomBytes(20).toString('hex');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  created = {
    clientEmail,
    keyId,
    publicKey: createPublicKey(privateKey),
    file: (tokenUri) => ({
      type: 'service_account',
      project_id: 'almanac-tests',
      private_key_id: keyId,
      private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      client_email: clientEmail,
      client_id: '103456789012345678901',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: tokenUri,
    }),
  };
  return created;
}

const SCOPE_PREFIX = 'https://www.googleapis.com/auth/';
const TOKEN_SECONDS = 3_599;

/** Issues and checks access tokens. */
export function createTokenEndpoint(account: Account, tokenUri: string, clock: () => number) {
  const tokens = new Map<string, { readonly scopes: readonly string[]; readonly until: number }>();
  const issued: string[] = [];
  return {
    grant(body: unknown): unknown {
      const form = new URLSearchParams(String(body));
      if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
        throw new ErrorReply(400, 'unsupported_grant_type', 'Invalid grant_type.', 'oauth');
      }
      const scopes = readAssertion(account, tokenUri, form.get('assertion') ?? '', clock() / 1_000);
      const token = `ya29.${randomBytes(60).toString('base64url')}`;
      tokens.set(token, { scopes, until: clock() + TOKEN_SECONDS * 1_000 });
      issued.push(token);
      return { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' };
    },
    scopesOf(authorization: string | undefined): readonly string[] {
      const token = tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
      if (token === undefined || clock() >= token.until) {
        throw new ErrorReply(401, 'authError', 'Request had invalid authentication credentials.');
      }
      return token.scopes;
    },
    revoke: () => tokens.clear(),
    issued: () => issued,
  };
}

/** Returns the scopes that a signed assertion requests. */
function readAssertion(account: Account, tokenUri: string, assertion: string, now: number): readonly string[] {
  const [header = '', payload = '', signature = '', ...rest] = assertion.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  const refuse = (message: string) => new ErrorReply(400, 'invalid_grant', message, 'oauth');
  let claims: Record<string, unknown>;
  try {
    const { alg, typ, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    if (alg !== 'RS256' || typ !== 'JWT' || kid !== account.keyId || rest.length > 0) throw new Error('header');
    if (!verify('sha256', signed, account.publicKey, Buffer.from(signature, 'base64url'))) throw new Error('signature');
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    throw refuse('Invalid JWT Signature.');
  }
  const { iss, aud, scope, iat, exp } = claims;
  if (iss !== account.clientEmail) throw refuse('Invalid grant: account not found');
  if (aud !== tokenUri) throw refuse('Invalid JWT: Failed audience check.');
  const [from, to] = [Number(iat), Number(exp)];
  if (!(from <= now + 60 && to > now && to - from <= 3_600)) throw refuse('Invalid JWT: Token must be short-lived.');
  const scopes = String(scope).split(' ');
  if (!scopes.every((name) => name.startsWith(SCOPE_PREFIX))) throw refuse('Invalid OAuth scope.');
  return scopes.map((name) => name.slice(SCOPE_PREFIX.length));
}
