import { MAX_API_KEYS } from '../../src/contract/index.ts';
import { createApiKey, type IdentityContext, revokeGrant } from '../../src/identity/index.ts';
import { hashSecret, newSecret } from '../../src/identity/secrets.ts';
import type { IdentityTables } from '../../src/identity/tables.ts';
import { newId } from '../../src/platform/index.ts';
import { mintAccessToken, signAccessToken } from '../support/identity/access-tokens.ts';
import { type Credentials, makeAccount, withGuest, withKey } from '../support/identity/callers.ts';

/** Every kind of caller. */
export const CALLERS = [
  'no credential',
  'unknown key',
  'guest',
  'session',
  'session of free',
  'key',
  'narrow key',
  'wrong scope',
  'key of free',
  'expired key',
  'administrator',
  'token',
  'revoked token',
  'full account',
] as const;

export type CallerName = (typeof CALLERS)[number];

export interface Callers {
  /** Returns new credentials where an earlier request may have revoked the last ones. */
  credentialsOf(name: CallerName): Promise<Credentials>;
  readonly account: { readonly id: string; readonly email: string };
  /** Ids of keys that requests must not use, or the callers would revoke their own keys. */
  readonly protectedIds: ReadonlySet<string>;
}

/** Creates the accounts of the callers, with keys of different scopes. */
export async function makeCallers(identity: IdentityContext): Promise<Callers> {
  const account = await makeAccount(identity, { plan: 'pro' });
  const free = await makeAccount(identity, { plan: 'free', password: null });
  const administrator = await makeAccount(identity, { plan: 'free', administrator: true, password: null });
  const full = await makeAccount(identity, { plan: 'enterprise', password: null });
  const fullKey = await withKey(identity, full.id);
  const rest = Array.from({ length: MAX_API_KEYS - 1 }, () => withKey(identity, full.id));
  await Promise.all(rest);
  const past = { ...identity, clock: { now: () => new Date(Date.now() - 3_600_000) } };
  const expired = await createApiKey(past, {
    accountId: account.id,
    name: 'expired',
    scopes: ['account:read'],
    expiresAt: new Date(Date.now() - 1_000),
  });
  const granted = await mintAccessToken(identity, account.id);
  const revoked = await mintAccessToken(identity, account.id);
  await revokeGrant(identity, account.id, revoked.grantId);
  const fixed: Partial<Record<CallerName, Credentials>> = {
    'revoked token': revoked.credentials,
    'no credential': {},
    'unknown key': { authorization: `Bearer ${newSecret('alm_pat_')}` },
    key: await withKey(identity, account.id),
    'narrow key': await withKey(identity, account.id, ['account:read']),
    'wrong scope': await withKey(identity, account.id, ['datasets:read', 'events:write']),
    'key of free': await withKey(identity, free.id),
    'expired key': { authorization: `Bearer ${expired.key}` },
    'full account': fullKey,
    administrator: await withKey(identity, administrator.id),
  };
  const keys = await identity.database.query<IdentityTables>().selectFrom('api_key').select('id').execute();
  return {
    account,
    protectedIds: new Set(keys.map(({ id }) => id)),
    async credentialsOf(name) {
      if (name === 'guest') return withGuest(identity);
      if (name === 'token') {
        const token = await signAccessToken(identity, { accountId: account.id, ...granted });
        return { authorization: `Bearer ${token}` };
      }
      if (name === 'session') return freshSession(identity, account.id);
      if (name === 'session of free') return freshSession(identity, free.id);
      return fixed[name] ?? {};
    },
  };
}

/** Creates a session without checking a password, which takes a hundred milliseconds. */
async function freshSession({ database }: IdentityContext, accountId: string): Promise<Credentials> {
  const secret = newSecret('alm_ses_');
  const now = new Date();
  await database
    .query<IdentityTables>()
    .insertInto('browser_session')
    .values({
      id: newId('ses'),
      account_id: accountId,
      secret_hash: hashSecret(secret),
      user_agent: null,
      created_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
      last_used_at: now,
    })
    .execute();
  return { cookie: `__Host-almanac_session=${secret}` };
}
