import type { z } from 'zod';
import { Fault, MAX_API_KEYS, type NewApiKey, type Scope } from '../../contract/index.ts';
import { type Executor, newId } from '../../platform/index.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
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
  /** What the credential stands on that makes it: the new one ends with that. */
  readonly madeUnder?: string | null;
  readonly origin?: Origin;
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
    made_under: request.madeUnder ?? null,
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
    if (row.made_by !== null) await requireLive(tx, row.made_by, now);
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
    if (row.made_under !== null) await requireLive(tx, row.id, now);
    const details = { key_id: row.id, name: row.name, kind };
    const { accountId, origin } = request;
    await recordSecurityEvent(tx, { accountId, kind: 'key_created', at: now, origin, details });
  });
  return { ...showApiKey(row), key };
}

/** The key that asks may have been revoked since it was let in, and the grant of the token taken back. */
async function requireLive(executor: Executor, keyId: string, now: Date): Promise<void> {
  const live = await executor
    .query<IdentityTables>()
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', keyId)
    .where(isLiveKey(now))
    .executeTakeFirst();
  if (!live) throw new Fault('UNAUTHENTICATED', 'The credential that asks was revoked meanwhile.');
}
