import type { z } from 'zod';
import { Fault, MAX_API_KEYS, type NewApiKey, type Scope } from '../../contract/index.ts';
import { type Executor, newId } from '../../platform/index.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { ApiKeyTable, IdentityTables } from '../tables.ts';
import { showApiKey } from './api-key.ts';
import { isLiveKey } from './live-key.ts';

export interface ApiKeyRequest {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | null;
  readonly kind?: ApiKeyTable['kind'];
  /** The key that makes it: the new one ends with it. */
  readonly madeBy?: string | null;
}

/** Makes a key. The secret is in the result and cannot be had again: only its hash is kept. */
export async function createApiKey(
  context: IdentityContext,
  request: ApiKeyRequest,
): Promise<z.output<typeof NewApiKey>> {
  const now = context.clock.now();
  const expiresAt = request.expiresAt ?? null;
  if (expiresAt && expiresAt <= now) throw new Fault('INVALID_REQUEST', 'expires_at: must be in the future.');
  const kind = request.kind ?? 'personal';
  const key = newSecret(kind === 'service' ? 'alm_svc_' : 'alm_pat_');
  const row = {
    id: newId('key', now.getTime()),
    account_id: request.accountId,
    kind,
    name: request.name,
    hint: key.slice(0, 12),
    made_by: request.madeBy ?? null,
    secret_hash: hashSecret(key),
    scopes: [...new Set(request.scopes)],
    created_at: now,
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
  };
  await context.database.transaction(async (tx) => {
    const db = tx.query<IdentityTables>();
    await lockAccount(tx, request.accountId);
    if (row.made_by !== null) await requireLiveMaker(tx, row.made_by, now);
    const { live } = await db
      .selectFrom('api_key')
      .select((eb) => eb.fn.countAll<number>().as('live'))
      .where('account_id', '=', request.accountId)
      .where(isLiveKey(now))
      .executeTakeFirstOrThrow();
    if (live >= MAX_API_KEYS) {
      throw new Fault('LIMIT_REACHED', `An account can have ${MAX_API_KEYS} live API keys. Revoke one first.`);
    }
    await db.insertInto('api_key').values(row).execute();
  });
  return { ...showApiKey(row), key };
}

/** The key may have been revoked since it was let in. */
async function requireLiveMaker(executor: Executor, keyId: string, now: Date): Promise<void> {
  const maker = await executor
    .query<IdentityTables>()
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', keyId)
    .where(isLiveKey(now))
    .executeTakeFirst();
  if (!maker) throw new Fault('UNAUTHENTICATED', 'The API key that asks was revoked meanwhile.');
}
