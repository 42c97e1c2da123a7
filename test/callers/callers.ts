import { SCOPES, type Scope } from '../../src/contract/index.ts';
import { createApiKey, type IdentityContext, revokeApiKey, revokeGrants } from '../../src/identity/index.ts';
import { newSecret } from '../../src/identity/secrets.ts';
import { mintAccessToken } from '../support/identity/access-tokens.ts';
import { type AccountSpec, type Credentials, makeAccount, withKey, withSession } from '../support/identity/callers.ts';
import { atTime } from '../support/identity/identity.ts';
import { byExternalToken } from './external-issuer.ts';
import { guestCaller } from './guests.ts';
import type { MembershipCaller } from './membership-callers.ts';

/** A caller: its credentials, and its account or guest if it has one. */
export interface Caller {
  readonly credentials: Credentials;
  readonly accountId: string | null;
  readonly guestId?: string;
}

type MakeCaller = (identity: IdentityContext) => Promise<Caller>;

const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** Callers by their credentials. Each uses its own resources, so only its credentials can cause a refusal. */
const CREDENTIAL_CALLERS = {
  'no credential': async () => ({ credentials: {}, accountId: null }),
  'malformed bearer': async () => bearer('not-a-key'),
  'unknown key': async () => bearer(newSecret('alm_pat_')),
  'revoked key': async (identity) => {
    const account = await makeAccount(identity, { password: null });
    const { id, key } = await createApiKey(identity, { accountId: account.id, name: 'revoked', scopes: SCOPES });
    await revokeApiKey(identity, { keyId: id });
    return bearer(key);
  },
  'expired key': async (identity) => {
    const account = await makeAccount(identity, { password: null });
    const expiresAt = new Date('2020-01-02T00:00:00.000Z');
    return {
      credentials: await withKey(atTime(identity, LONG_AGO), account.id, SCOPES, { expiresAt }),
      accountId: null,
    };
  },
  'expired session': async (identity) => {
    const account = await makeAccount(identity);
    return { credentials: await withSession(atTime(identity, LONG_AGO), account.email), accountId: null };
  },
  guest: guestCaller,
  'free account by session': bySession({ plan: 'free', verified: false }),
  'free account by key': byKey({ plan: 'free' }),
  'pro account by session': bySession({ plan: 'pro' }),
  'pro administrator by session': bySession({ plan: 'pro', administrator: true, verified: true }),
  'pro key with every scope': byKey({ plan: 'pro' }),
  'enterprise key': byKey({ plan: 'enterprise' }),
  'service key': byKey({ plan: 'pro' }, SCOPES, 'service'),
  'verified free administrator by key': byKey({ plan: 'free', administrator: true, verified: true }),
  'unverified free administrator by key': byKey({ plan: 'free', administrator: true, verified: false }),
  'pro account by token': byToken({ plan: 'pro' }),
  'free account by token': byToken({ plan: 'free' }),
  'token of a revoked grant': async (identity) => {
    const caller = await byToken({ plan: 'pro' })(identity);
    await revokeGrants(identity.database, caller.accountId ?? '');
    return caller;
  },
  'pro account by external token': byExternalToken({ plan: 'pro' }),
  'free account by external token': byExternalToken({ plan: 'free' }),
  'external token for another audience': byExternalToken({ plan: 'pro' }, { aud: 'https://other.example' }),
} satisfies Record<string, MakeCaller>;

type SingleScopeName = `pro key with ${Scope} only`;

export type CredentialCaller = keyof typeof CREDENTIAL_CALLERS | SingleScopeName;

export type CallerName = CredentialCaller | MembershipCaller;

export const CALLERS: Readonly<Record<CredentialCaller, MakeCaller>> = {
  ...CREDENTIAL_CALLERS,
  ...forEachScope((scope) => byKey({ plan: 'pro' }, [scope])),
};

/** Returns one entry for each key with a single scope. */
export function forEachScope<Value>(make: (scope: Scope) => Value): Record<SingleScopeName, Value> {
  const entries = SCOPES.map((scope) => [`pro key with ${scope} only`, make(scope)]);
  return Object.fromEntries(entries) as Record<SingleScopeName, Value>;
}

function bearer(token: string): Caller {
  return { credentials: { authorization: `Bearer ${token}` }, accountId: null };
}

function byKey(spec: AccountSpec, scopes: readonly Scope[] = SCOPES, kind?: 'service'): MakeCaller {
  return async (identity) => {
    const { id } = await makeAccount(identity, { ...spec, password: null });
    return { credentials: await withKey(identity, id, scopes, kind && { kind }), accountId: id };
  };
}

function byToken(spec: AccountSpec): MakeCaller {
  return async (identity) => {
    const { id } = await makeAccount(identity, { ...spec, password: null });
    const { credentials } = await mintAccessToken(identity, id);
    return { credentials, accountId: id };
  };
}

function bySession(spec: AccountSpec): MakeCaller {
  return async (identity) => {
    const { id, email } = await makeAccount(identity, spec);
    return { credentials: await withSession(identity, email), accountId: id };
  };
}
