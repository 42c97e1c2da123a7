import type { Plan, Scope } from '../../../src/contract/index.ts';
import { SCOPES } from '../../../src/contract/index.ts';
import {
  type ApiKeyRequest,
  createAccount,
  createApiKey,
  createGuest,
  type IdentityContext,
  signIn,
} from '../../../src/identity/index.ts';

export const PASSWORD = 'correct horse battery';

/** What a caller sends to say who it is. */
export type Credentials = Readonly<Record<string, string>>;

export interface AccountSpec {
  readonly email?: string;
  /** null: none, which saves the time of hashing it. */
  readonly password?: null;
  readonly plan?: Plan;
  readonly administrator?: boolean;
  readonly verified?: boolean;
}

let made = 0;

/** A registered account: pro and verified, with the password above, unless something else is asked for. */
export async function makeAccount(
  identity: IdentityContext,
  spec: AccountSpec = {},
): Promise<{ id: string; email: string }> {
  const { password, email = `person-${++made}-${process.pid}@example.org`, ...traits } = spec;
  return createAccount(identity, {
    verified: true,
    plan: 'pro',
    ...traits,
    email,
    password: password === null ? undefined : PASSWORD,
  });
}

export async function withKey(
  identity: IdentityContext,
  accountId: string,
  scopes: readonly Scope[] = SCOPES,
  request: Partial<ApiKeyRequest> = {},
): Promise<Credentials & { readonly authorization: string }> {
  const { key } = await createApiKey(identity, { accountId, name: 'test', scopes, ...request });
  return { authorization: `Bearer ${key}` };
}

export async function withSession(identity: IdentityContext, email: string): Promise<Credentials> {
  const session = await signIn(identity, { email, password: PASSWORD, userAgent: null });
  if (!session) throw new Error(`${email} could not sign in`);
  return { cookie: `__Host-almanac_session=${session.secret}` };
}

export async function asGuest(identity: IdentityContext): Promise<Credentials> {
  const { secret } = await createGuest(identity);
  return { cookie: `__Host-almanac_guest=${secret}` };
}
