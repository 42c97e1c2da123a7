import { createApiKeyForCaller, listApiKeys, revokeApiKey } from '../../identity/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { apiKeyNotFound } from '../faults.ts';
import { originOf } from '../limits/network.ts';

export const keyHandlers = {
  async listApiKeys(call) {
    return { api_keys: await listApiKeys(call.parts.identity, accountOf(call).accountId) };
  },

  async createApiKey(call) {
    const { name, scopes, expires_at } = call.body;
    const expiresAt = expires_at === undefined ? null : new Date(expires_at);
    const request = { name, scopes, expiresAt, origin: originOf(call) };
    return createApiKeyForCaller(call.parts.identity, accountOf(call), request);
  },

  async revokeApiKey(call) {
    const account = accountOf(call);
    const keyId = call.params.key_id;
    const isOwn = account.credential !== 'session' && keyId === account.credentialId;
    const removed = await revokeApiKey(call.parts.identity, {
      keyId,
      accountId: account.accountId,
      ...(!isOwn && { withinScopes: account.scopes }),
      origin: originOf(call),
    });
    if (!removed) throw apiKeyNotFound();
    return { id: keyId, removed: true as const };
  },
} satisfies Partial<Handlers>;
