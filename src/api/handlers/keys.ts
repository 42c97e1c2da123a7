import type { Account } from '../../access/index.ts';
import { Fault, type Scope } from '../../contract/index.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../identity/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { originOf } from '../limits/origin-of.ts';

export const keyHandlers = {
  async listApiKeys(call) {
    return { api_keys: await listApiKeys(call.parts.identity, accountOf(call).accountId) };
  },

  async createApiKey(call) {
    const account = accountOf(call);
    const { name, scopes = account.scopes } = call.body;
    const expiresAt = call.body.expires_at === undefined ? null : new Date(call.body.expires_at);
    refuseBeyondCaller(account, scopes, expiresAt);
    return createApiKey(call.parts.identity, {
      accountId: account.accountId,
      name,
      scopes,
      // A key that is left without an end must not outlive a key that has one.
      expiresAt: expiresAt ?? lifeOfKey(account),
      madeBy: account.credential === 'key' ? account.credentialId : null,
      madeUnder: account.standsOn ?? null,
      origin: originOf(call),
    });
  },

  async revokeApiKey(call) {
    const account = accountOf(call);
    const keyId = call.params.key_id;
    const own = account.credential !== 'session' && keyId === account.credentialId;
    const removed = await revokeApiKey(call.parts.identity, {
      keyId,
      accountId: account.accountId,
      ...(!own && { withinScopes: account.scopes }),
      origin: originOf(call),
    });
    if (!removed) throw new Fault('NOT_FOUND', 'No API key with this id that this credential may revoke.');
    return { id: keyId, removed: true as const };
  },
} satisfies Partial<Handlers>;

/** A leaked key must not be able to make a stronger or longer-lived one. (What it makes is revoked with it.) */
function refuseBeyondCaller(account: Account, scopes: readonly Scope[], expiresAt: Date | null): void {
  const beyond = scopes.find((scope) => !account.scopes.includes(scope));
  if (beyond) {
    throw new Fault('SCOPE_DENIED', `scopes: ${beyond} is not a scope of the credential that makes the key.`, {
      missingScope: beyond,
    });
  }
  const end = lifeOfKey(account);
  if (end && expiresAt && expiresAt > end) {
    throw new Fault(
      'SCOPE_DENIED',
      `expires_at: must not be after ${end.toISOString()}, when the key that makes it expires.`,
    );
  }
}

/** When the caller's own key ends. A session's end bounds nothing: a person signed in may make lasting keys. */
function lifeOfKey(account: Account): Date | null {
  return account.credential === 'session' ? null : account.credentialExpiresAt;
}
