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
import type { IdentityTables } from '../../../src/identity/tables.ts';
import type { Database } from '../../../src/platform/index.ts';

export const PASSWORD = 'correct horse battery';

/** A hash of the password at the lowest cost of argon2id: a hash carries its cost, so that sign-ins in tests are fast. */
const CHEAP_PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IGZvciB0ZXN0cw$MlFQP5pWrc/k0mn24kiaChL9CmQ2yl/EQKiVVUIY4R8';

/** The headers by which a caller authenticates. */
export type Credentials = Readonly<Record<string, string>>;

export interface AccountSpec {
  readonly email?: string;
  /** null: the account has no password. */
  readonly password?: null;
  readonly plan?: Plan;
  readonly administrator?: boolean;
  readonly verified?: boolean;
}

let created = 0;

/** Creates an account: pro and verified, with the password above, unless the spec differs. */
export async function makeAccount(
  identity: IdentityContext,
  spec: AccountSpec = {},
): Promise<{ id: string; email: string }> {
  const { password, email = `person-${++created}-${process.pid}@example.org`, ...traits } = spec;
  const account = await createAccount(identity, { verified: true, plan: 'pro', ...traits, email });
  if (password !== null) {
    await identity.database
      .query<IdentityTables>()
      .updateTable('account')
      .set({ password_hash: CHEAP_PASSWORD_HASH })
      .where('id', '=', account.id)
      .execute();
  }
  return account;
}

/** Makes the passwords of open sign-ups, which must be the password above, as cheap to check as those of accounts. */
export async function cheapenSignUps(database: Database): Promise<void> {
  await database
    .query<IdentityTables>()
    .updateTable('account_link')
    .set({ password_hash: CHEAP_PASSWORD_HASH })
    .where('password_hash', 'is not', null)
    .execute();
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

export async function withGuest(identity: IdentityContext): Promise<Credentials> {
  const { secret } = await createGuest(identity);
  return { cookie: `__Host-almanac_guest=${secret}` };
}
